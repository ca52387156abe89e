import Measuring
import Testing

@Suite struct RoundOrderTests {
  @Test("Every program runs once per round, and each round starts with a different one")
  func rotation() {
    let rounds = RoundOrder.rounds(4, of: ["ours", "c", "ahc"])
    #expect(rounds.allSatisfy { Set($0) == ["ours", "c", "ahc"] && $0.count == 3 })
    #expect(rounds.map(\.first) == ["ours", "c", "ahc", "ours"])
  }

  @Test("Without programs or rounds nothing runs")
  func empty() {
    #expect(RoundOrder.rounds(3, of: [String]()).isEmpty)
    #expect(RoundOrder.rounds(-1, of: ["ours"]).isEmpty)
  }
}
