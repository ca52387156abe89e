import Measuring
import Testing

@Suite struct RoundOrderTests {
  @Test func `every program runs once a round, and each round begins with another one`() {
    let rounds = RoundOrder.rounds(4, of: ["ours", "c", "ahc"])
    #expect(rounds.allSatisfy { Set($0) == ["ours", "c", "ahc"] && $0.count == 3 })
    #expect(rounds.map(\.first) == ["ours", "c", "ahc", "ours"])
  }

  @Test func `without programs or rounds nothing runs`() {
    #expect(RoundOrder.rounds(3, of: [String]()).isEmpty)
    #expect(RoundOrder.rounds(-1, of: ["ours"]).isEmpty)
  }
}
