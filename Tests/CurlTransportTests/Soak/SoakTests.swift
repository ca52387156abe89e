import LoopbackServing
import Testing
import TransportSoaking

@Suite(.timeLimit(.minutes(5)))
struct SoakTests {
  @Test(
    "E1: thousands of requests with random cancels, faults and slow readers: each answered once, nothing left",
    arguments: [true, false])
  func soak(spinsAndReusesMemory: Bool) async throws {
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    let soak = Soak(
      seed: seed, requests: 4000, hasHTTP2: NginxServer.runsSuites, spinsAndReusesMemory: spinsAndReusesMemory
    )
    let report = try await soak.run()
    print(report.summary)
    #expect(report.requests == soak.requests)
    #expect(report.answers == soak.requests)
    #expect(report.answeredTwice == 0)
    #expect(report.faults == [], "Scripts/soak --requests \(soak.requests) --seed \(seed) repeats it")
    // Whatever the seed, each kind of end is among them.
    for name in ["whole", "let_go", "cancelled_task", "rejected", "transport", "timeout_whole"] {
      #expect(report.outcomes[name, default: 0] > 0, "\(name)")
    }
  }
}
