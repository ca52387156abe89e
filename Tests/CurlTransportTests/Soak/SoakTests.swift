import LoopbackServing
import Testing
import TransportSoaking

@Suite(.timeLimit(.minutes(5)))
struct SoakTests {
  @Test(
    "E1: Thousands of requests with random cancellations, faults and slow readers end once each and leave nothing",
    arguments: [true, false])
  func soak(isOptimized: Bool) async throws {
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    let soak = Soak(
      seed: seed, requests: 2000, hasHTTP2: NginxServer.runsSuites, isOptimized: isOptimized)
    let report = try await soak.run()
    print(report.summary)
    #expect(report.requests == soak.requests)
    #expect(report.answers == soak.requests)
    #expect(report.answeredTwice == 0)
    #expect(report.faults == [], "Scripts/soak --requests \(soak.requests) --seed \(seed) repeats it")
    // Every kind of outcome must occur, whatever the seed.
    for name in ["whole", "let_go", "cancelled_task", "rejected", "transport", "timeout_whole"] {
      #expect(report.outcomes[name, default: 0] > 0, "\(name)")
    }
  }

  @Test(
    "E1: Requests over HTTP/3, whose server is killed and started again, end once each and leave nothing",
    .http3, .caddy)
  func http3() async throws {
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    let report = try await HTTP3Soak(seed: seed, wave: 600).run()
    print(report.summary)
    #expect(report.requests == 1200 && report.isSound, "seed \(seed): \(report.faults)")
    for name in ["whole", "let_go", "cancelled_task", "transport", "connect", "HTTP/3"] {
      #expect(report.outcomes[name, default: 0] > 0, "\(name)")
    }
  }
}
