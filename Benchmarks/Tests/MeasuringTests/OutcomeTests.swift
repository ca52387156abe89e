import Measuring
import Testing

@Suite("An outcome")
struct OutcomeTests {
  private static let figure = Figure("h1.64.vs-c", .requestsPerSecond, bar: .ratioAtLeast(0.9))

  @Test(
    "An outcome is printed on one line",
    arguments: [
      (
        Outcome(figure, .measured(ours: 41_000, peer: 45_000)),
        "bench h1.64.vs-c ours=41000/s peer=45000/s ratio=0.91 bar=0.90 PASS"
      ),
      (
        Outcome(figure, .measured(ours: 40_000, peer: 45_000)),
        "bench h1.64.vs-c ours=40000/s peer=45000/s ratio=0.89 bar=0.90 MISS"
      ),
      (
        Outcome(
          figure, .measured(ours: 41_000, peer: 45_000),
          instructions: InstructionPair(ours: 73_613, peer: 67_323)),
        "bench h1.64.vs-c ours=41000/s peer=45000/s ratio=0.91 bar=0.90 instructions=73613/67323=1.09 PASS"
      ),
      (
        Outcome(
          Figure("h1.64.switches.vs-c", .switches, bar: .atMostAbovePeer(0.1)),
          .measured(ours: 0.5, peer: 0.45), spread: 1...1.25),
        "bench h1.64.switches.vs-c ours=0.500switches peer=0.450switches ratio=1.11 bar=+0.10 spread=1.00…1.25 PASS"
      ),
      (
        Outcome(figure, .measured(ours: 9, peer: 10), instructions: InstructionPair(ours: 5.6, peer: nil)),
        "bench h1.64.vs-c ours=9/s peer=10/s ratio=0.90 bar=0.90 instructions=6 PASS"
      ),
      (
        Outcome(Figure("h1.512.vs-c", .requestsPerSecond), .measured(ours: 1, peer: 2)),
        "bench h1.512.vs-c ours=1/s peer=2/s ratio=0.50 bar=-"
      ),
      (
        Outcome(Figure("memory.1024.h1", .mebibytes, bar: .atMost(96)), .measured(ours: 50.25, peer: nil)),
        "bench memory.1024.h1 ours=50.3MiB peer=- ratio=- bar=96.0MiB PASS"
      ),
      (
        Outcome(
          Figure("websocket.idle-10k.descriptors", .descriptors, bar: .atMost(1)),
          .measured(ours: 1, peer: nil)),
        "bench websocket.idle-10k.descriptors ours=1.00descriptors peer=- ratio=- bar=1.00descriptors PASS"
      ),
      (
        Outcome(Figure("websocket.idle-10k.threads", .threads), .measured(ours: 4, peer: nil)),
        "bench websocket.idle-10k.threads ours=4threads peer=- ratio=- bar=-"
      ),
      (Outcome(figure, .skipped("no JDK")), "bench h1.64.vs-c SKIPPED no JDK"),
      (Outcome(figure, .failed("it ended")), "bench h1.64.vs-c ours=failed bar=0.90 MISS it ended"),
    ])
  func line(outcome: Outcome, line: String) {
    #expect("\(outcome)" == line)
  }

  @Test("A ratio that reaches the bar only by rounding misses it")
  func rounding() {
    let outcome = Outcome(Self.figure, .measured(ours: 0.8999, peer: 1))
    #expect(outcome.verdict == .miss)
  }
}
