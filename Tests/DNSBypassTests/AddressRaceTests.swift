import Testing

@testable import DNSBypass

@Suite struct AddressRaceTests {
  private let delay = Duration.milliseconds(250)

  @Test("The next address starts after each delay, and the system's DNS 2 s after the last one")
  func delays() {
    var race = AddressRace(addresses: 3, delay: delay)
    #expect(race.begin() == [.start(0), .wait(delay, round: 1)])
    #expect(race.delayPassed(round: 1, isConnecting: true) == [.start(1), .wait(delay, round: 2)])
    #expect(race.delayPassed(round: 2, isConnecting: true) == [.start(2), .wait(.seconds(2), round: 3)])
    #expect(race.delayPassed(round: 3, isConnecting: true) == [.start(3)])
    #expect(race.delayPassed(round: 3, isConnecting: true) == [])
    #expect(race.running == [0, 1, 2, 3])
    for attempt in 0...3 {
      #expect(!race.isOver)
      #expect(race.failed(attempt) == [])
    }
    #expect(race.isOver)
  }

  @Test("A failure of the newest address starts the next one at once, with a delay of its own")
  func failures() {
    var race = AddressRace(addresses: 3, delay: delay)
    _ = race.begin()
    #expect(race.failed(0) == [.start(1), .wait(delay, round: 2)])
    #expect(race.delayPassed(round: 1, isConnecting: true) == [])
    #expect(race.delayPassed(round: 2, isConnecting: true) == [.start(2), .wait(.seconds(2), round: 3)])
    // An older address that fails changes nothing, and the system's DNS is not asked while one connects.
    #expect(race.failed(1) == [])
    #expect(race.failed(2) == [.start(3)])
    #expect(race.failed(3) == [])
    #expect(race.isOver)
  }

  @Test("While the newest address has failed and an older one connects, the system's DNS waits its time")
  func systemWaits() {
    var race = AddressRace(addresses: 2, delay: delay)
    _ = race.begin()
    _ = race.delayPassed(round: 1, isConnecting: true)
    #expect(race.failed(1) == [])
    #expect(race.delayPassed(round: 2, isConnecting: true) == [.start(2)])
  }

  @Test("While the first request waits in the dispatcher's queue, the delay starts again")
  func queued() {
    var race = AddressRace(addresses: 2, delay: delay)
    _ = race.begin()
    #expect(race.delayPassed(round: 1, isConnecting: false) == [.wait(delay, round: 2)])
    #expect(race.delayPassed(round: 1, isConnecting: true) == [])
    #expect(race.delayPassed(round: 2, isConnecting: true) == [.start(1), .wait(.seconds(2), round: 3)])
  }

  @Test("Without a delay, and without addresses, attempts follow one another")
  func sequential() {
    var race = AddressRace(addresses: 2, delay: nil)
    #expect(race.begin() == [.start(0)])
    #expect(race.failed(0) == [.start(1)])
    #expect(race.failed(1) == [.start(2)])
    var empty = AddressRace(addresses: 0, delay: delay)
    #expect(empty.begin() == [.start(0)])
    #expect(empty.failed(0) == [])
    #expect(empty.isOver)
  }

  @Test("A halted race starts nothing and is over when the running attempts have ended")
  func halted() {
    var race = AddressRace(addresses: 3, delay: delay)
    _ = race.begin()
    _ = race.delayPassed(round: 1, isConnecting: true)
    race.halt()
    race.end(0)
    #expect(race.delayPassed(round: 2, isConnecting: true) == [])
    #expect(!race.isOver)
    #expect(race.failed(1) == [])
    #expect(race.isOver)
  }
}
