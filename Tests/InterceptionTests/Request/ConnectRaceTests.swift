import Interception
import Testing

@Suite struct ConnectRaceTests {
  @Test("One of many entries claims a race, and may claim it again", .timeLimit(.minutes(5)))
  func claims() async {
    for _ in 0..<50 {
      let race = ConnectRace()
      #expect(race.winner == nil)
      let winners = await withTaskGroup(of: Int?.self) { group in
        for number in 0..<8 {
          group.addTask { race.entry(number).claim() ? number : nil }
        }
        var winners: [Int] = []
        for await winner in group { if let winner { winners.append(winner) } }
        return winners
      }
      #expect(winners.count == 1)
      #expect(race.winner == winners.first)
      for number in 0..<8 { #expect(race.entry(number).claim() == (number == race.winner)) }
    }
  }

  @Test("A race knows whether an entry connects, and whether a proxy does it instead")
  func news() {
    let race = ConnectRace()
    #expect(!race.isConnecting && !race.isProxied)
    race.noteConnecting()
    race.standAside()
    #expect(race.isConnecting && race.isProxied)
  }

  @Test("The next attempt of a request takes no part in the race of the previous one")
  func attempt() {
    var request = Request(authority: "estate.example", path: "/")
    request.context.raceEntry = ConnectRace().entry(0)
    #expect(request.raceEntry != nil)
    #expect(request.asAttempt(2).raceEntry == nil)
  }
}
