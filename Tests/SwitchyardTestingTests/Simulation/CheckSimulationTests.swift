import HTTPTypes
import Interception
import RequestRetry
import SwitchyardTesting
import Synchronization
import Testing

@Suite("checkSimulation", .timeLimit(.minutes(5)))
struct CheckSimulationTests {
  private enum Step: Sendable, Hashable {
    case read(Int)
    case write(Int)
  }

  private static let steps: @Sendable (inout SeededRandom) -> [Step] = { random in
    (1...6).map { Bool.random(using: &random) ? .read($0) : .write($0) }
  }

  /// Simulates an app that reads and writes through its own chain.
  private static func simulate(
    seeds: ClosedRange<UInt64> = 1...30, rules: SimulationRules = SimulationRules(),
    faults: @escaping SimulatedNetwork.Faults = SimulatedFault.some(0.4), limit: Duration = .seconds(300),
    patience: Duration = .seconds(5), host: String = "api.example",
    _ interceptors: @escaping @Sendable (TimeSource) -> [any Interceptor]
  ) async -> SimulationReport {
    await checkSimulation(seeds: seeds, rules: rules, faults: faults, patience: patience, steps: steps) {
      run, steps in
      run.network.serve("api.example") { _ in Response(status: .ok) }
      let time = run.network.time
      let pipeline = try Pipeline(over: run.network, time: time) { interceptors(time) }
      for step in steps {
        run.start("\(step)", within: limit) {
          var request =
            switch step {
            case .read(let number): Request(authority: host, path: "/\(number)")
            case .write(let number): Request(method: .post, authority: host, path: "/\(number)")
            }
          request.head.headerFields[.authorization] = "Bearer token-7"
          _ = try await pipeline.send(request)
        }
        await run.pause(for: .seconds(1))
      }
    }
  }

  @Test("A chain that keeps the rules passes, and the report counts what was met")
  func passing() async throws {
    let report = await Self.simulate { [RetryInterceptor(time: $0, random: SeededRandom(seed: 1))] }
    try report.check()
    #expect(report.historyCount == 30 && report.arrivalCount > 100)
    #expect((report.faultCounts["none"] ?? 0) > 50 && report.faultCounts.count > 8, "\(report)")
    #expect(report.description.hasPrefix("30 histories, "))
  }

  @Test("A write that is sent again after it was performed is found, with its seed and the shortest steps")
  func repeatedWrite() async throws {
    let report = await Self.simulate { _ in
      [
        InlineInterceptor("Careless", stage: .retry) { request, next in
          if let response = try? await next.dispatch(request) { return response }
          return try await next.dispatch(request)
        }
      ]
    }
    let failure = try #require(report.failure)
    #expect(failure.violations.contains { $0.contains("POST") && $0.contains("performed 2 times") })
    #expect(failure.steps.count == 1 && failure.steps.first?.hasPrefix("write(") == true)
    #expect(
      "\(report)".hasPrefix(
        "seed \(failure.seed) fails; to replay it, pass seeds: \(failure.seed)...\(failure.seed)"))
    #expect(throws: SimulationReport.Failure.self) { try report.check() }
  }

  @Test("A credential at another origin is found")
  func credential() async throws {
    let rules = SimulationRules(trustedOrigins: ["api.example"])
    let report = await Self.simulate(rules: rules, host: "other.example") { _ in [] }
    #expect(
      report.failure?.violations.first?.contains("at other.example has the field Authorization") == true)
    try await Self.simulate(rules: rules) { _ in [] }.check()
  }

  @Test("A secret in a request to another origin, and in the text of an error, is found and not repeated")
  func secret() async throws {
    let rules = SimulationRules(trustedOrigins: ["api.example"], secrets: ["token-7"])
    let foreign = await Self.simulate(rules: rules, host: "other.example") { _ in [] }
    #expect(foreign.failure?.violations.first?.contains("has a secret") == true)
    let told = await Self.simulate(rules: rules) { _ in
      [
        InlineInterceptor("Talkative", stage: .logging) { request, next in
          throw NetworkError(.rejected, "\(request.head.headerFields)")
        }
      ]
    }
    #expect(told.failure?.violations.first == "An output contains the secret number 1.")
  }

  @Test("A call that ends later than its limit is found")
  func late() async throws {
    let report = await Self.simulate(
      faults: { _, _ in .slow(.seconds(15)) }, limit: .seconds(10), patience: .milliseconds(200)
    ) { _ in [] }
    #expect(report.failure?.violations.first?.contains("has not ended: its time was over") == true)
  }

  @Test("A call that nothing can end is found")
  func stuck() async throws {
    let report = await Self.simulate(patience: .milliseconds(200)) { _ in
      [
        InlineInterceptor("Waiting", stage: .logging) { _, _ in
          let (never, feed) = AsyncStream.makeStream(of: Void.self)
          for await _ in never {}
          feed.finish()
          throw NetworkError(.cancelled(.task), "The request was cancelled.")
        }
      ]
    }
    #expect(report.failure?.violations.first?.contains("has not ended: ") == true)
  }

  @Test("A body that is never read is found as an exchange that is left")
  func leftOver() async throws {
    let kept = Mutex<[Response]>([])
    let report = await checkSimulation(seeds: 1...1, faults: { _, _ in .none }, steps: { _ in [0] }) {
      run, _ in
      run.network.serve("api.example") { _ in Response(status: .ok, bytes: [1, 2]) }
      var request = Request(authority: "api.example", path: "/")
      request.options.delivery = .streamed
      let response = try await run.network.dispatch(request)
      kept.withLock { $0.append(response) }
    }
    #expect(report.failure?.violations == ["1 exchanges are left after the last call."])
  }

  @Test("A rule of the app, and an error of the run, are reported as sentences")
  func own() async throws {
    let expected = await checkSimulation(seeds: 7...9, steps: { _ in [1, 2, 3, 4] }) { run, steps in
      run.expect(!steps.contains(3), "Three is too many.")
    }
    #expect(expected.failure?.violations == ["Three is too many."])
    #expect(expected.failure?.steps == ["3"] && expected.failure?.seed == 7 && expected.historyCount == 1)
    let thrown = await checkSimulation(seeds: 1...1, steps: { _ in [1] }) { _, _ in
      throw NetworkError(.rejected, "No.")
    }
    #expect(thrown.failure?.violations.first?.hasPrefix("The run has thrown ") == true)
  }

  @Test("A seed decides the same faults and latencies of the same requests in each run")
  func replay() async throws {
    let stories = Mutex<[[String]]>([])
    for _ in 0..<3 {
      let report = await checkSimulation(
        seeds: 4...4, faults: SimulatedFault.some(0.6), steps: { _ in Array(0..<12) }
      ) { run, steps in
        run.network.serve("api.example") { _ in Response(status: .ok) }
        for step in steps {
          let task = run.start("read", within: .seconds(60)) {
            try await run.network.dispatch(Request(authority: "api.example", path: "/\(step)"))
          }
          _ = await task.result
        }
        run.expect(steps.count < 12, "All of them.")
      }
      stories.withLock { $0.append(report.failure?.story ?? []) }
    }
    let all = stories.withLock { $0 }
    #expect(all[0].count > 1 && all[0] == all[1] && all[1] == all[2])
  }
}
