import HTTPTypes
import SwitchyardTesting
import Synchronization
import Testing

@testable import Interception

@Suite("A pipeline checks how often an interceptor calls next", .timeLimit(.minutes(5)))
struct NextCallsTests {
  /// Calls `next` a number of times, and returns the last response.
  private static func calling(
    _ calls: Int, declaring declared: InterceptorTraits.NextCalls, ignoresErrors: Bool = false
  ) -> InlineInterceptor {
    InlineInterceptor(
      "Calling", traits: InterceptorTraits(stage: .retry, allowsSeveral: true, callsNext: declared)
    ) { request, next in
      var response = Response(status: .noContent)
      for _ in 0..<calls {
        do {
          response = try await next.dispatch(request)
        } catch {
          if !ignoresErrors { throw error }
        }
      }
      return response
    }
  }

  private static let declaredCalls: [(InterceptorTraits.NextCalls, Int)] = [
    (.exactlyOnce, 1), (.atMostOnce, 0), (.atMostOnce, 1), (.anyNumber, 0), (.anyNumber, 1), (.anyNumber, 3),
  ]

  @Test("A declared number of calls is permitted", arguments: declaredCalls, [false, true])
  func declared(_ row: (InterceptorTraits.NextCalls, Int), _ isObserved: Bool) async throws {
    let server = ScriptedDispatcher()
    let pipeline = try Pipeline(over: server, observers: isObserved ? [EventRecorder()] : []) {
      Self.calling(row.1, declaring: row.0)
    }
    _ = try await pipeline.send(.example)
    #expect(server.requests.count == row.1)
  }

  @Test(
    "A response without a call fails with the interceptor's name and the remedy", arguments: [false, true])
  func noCall(isObserved: Bool) async throws {
    let pipeline = try Pipeline(
      over: ScriptedDispatcher(), observers: isObserved ? [EventRecorder()] : []
    ) {
      Self.calling(0, declaring: .exactlyOnce)
    }
    let error = try await #require(throws: NetworkError.self) { try await pipeline.send(.example) }
    #expect(error.kind == .rejected)
    #expect(error.origin == .pipeline)
    #expect(!error.requestMayHaveBeenProcessed)
    #expect(
      error.reason
        == "Calling responds without calling next, but its traits declare callsNext: .exactlyOnce; declare "
        + ".atMostOnce, or call next.")
  }

  @Test(
    "A second call that is not declared fails before anything is sent, also if its error is ignored",
    arguments: [InterceptorTraits.NextCalls.exactlyOnce, .atMostOnce], [(false, false), (true, true)])
  func secondCall(_ declared: InterceptorTraits.NextCalls, _ flags: (Bool, Bool)) async throws {
    let (isObserved, ignoresErrors) = flags
    let server = ScriptedDispatcher()
    let pipeline = try Pipeline(over: server, observers: isObserved ? [EventRecorder()] : []) {
      Self.calling(2, declaring: declared, ignoresErrors: ignoresErrors)
    }
    let error = try await #require(throws: NetworkError.self) { try await pipeline.send(.example) }
    #expect(error.kind == .rejected)
    #expect(error.origin == .pipeline)
    #expect(error.requestMayHaveBeenProcessed)
    #expect(
      error.reason
        == "Calling calls next again, but its traits declare callsNext: .\(declared); declare .anyNumber, or "
        + "call next once.")
    #expect(server.requests.count == 1)
  }

  @Test("An interceptor that throws without calling next fails with its own error")
  func throwing() async throws {
    let pipeline = try Pipeline(over: ScriptedDispatcher()) {
      InlineInterceptor("Refusing", traits: InterceptorTraits(stage: .validation)) { _, _ in
        throw Refusal(why: "no")
      }
    }
    let error = try await #require(throws: NetworkError.self) { try await pipeline.send(.example) }
    #expect(error.origin == .interceptor("Refusing"))
  }

  @Test("An interceptor that is limited to some requests, or reads responses as bytes, is checked, too")
  func wrapped() async throws {
    let traits = InterceptorTraits(stage: .caching, responseBodyLimit: 1)
    let stub = InlineInterceptor("Stub", traits: traits) { _, _ in Response(status: .ok) }
    for interceptor in [stub, stub.only(for: .where { _ in true })] as [any Interceptor] {
      let pipeline = try Pipeline(over: ScriptedDispatcher()) { interceptor }
      let error = await #expect(throws: NetworkError.self) { try await pipeline.send(.example) }
      #expect(error?.origin == .pipeline)
    }
    let outside = try Pipeline(over: ScriptedDispatcher()) { stub.only(for: .where { _ in false }) }
    #expect(try await outside.send(.example).exchange.attempts == 1)
  }

  /// Calls `next` once in each run, and once more in its last one.
  private static func twiceAtLast(of runs: Int) -> InlineInterceptor {
    let started = Mutex(0)
    let traits = InterceptorTraits(stage: .signing, allowsSeveral: true)
    return InlineInterceptor("Calling", traits: traits) { request, next in
      let run = started.withLock { started in
        started += 1
        return started
      }
      let response = try await next.dispatch(request)
      return run == runs ? try await next.dispatch(request) : response
    }
  }

  // The counts of the first 64 runs are kept in bits.
  @Test(
    "Each run of an interceptor that is repeated is checked by itself",
    arguments: [1, 2, 63, 64, 65, 66, 200],
    [false, true])
  func repeated(runs: Int, isObserved: Bool) async throws {
    let server = ScriptedDispatcher()
    let pipeline = try Pipeline(over: server, observers: isObserved ? [EventRecorder()] : []) {
      Self.calling(runs, declaring: .anyNumber)
      Self.twiceAtLast(of: runs)
    }
    let error = try #require(await #expect(throws: NetworkError.self) { try await pipeline.send(.example) })
    #expect(error.kind == .rejected && error.origin == .pipeline)
    #expect(error.reason.hasPrefix("Calling calls next again"))
    #expect(server.requests.count == runs)
  }

  @Test("Runs of an interceptor that overlap are permitted, because each calls next once")
  func overlapping() async throws {
    let arrived = WaitableValue(0)
    let server = ScriptedDispatcher()
    let traits = InterceptorTraits(stage: .signing, allowsSeveral: true)
    let pipeline = try Pipeline(over: server) {
      InlineInterceptor("Racing", stage: .retry) { request, next in
        try await withThrowingTaskGroup(of: Response.self) { group in
          for _ in 0..<100 { group.addTask { try await next.dispatch(request) } }
          var last = Response(status: .noContent)
          for try await response in group { last = response }
          return last
        }
      }
      InlineInterceptor("Meeting", traits: traits) { request, next in
        arrived.update { $0 += 1 }
        _ = try await arrived.wait { $0 == 100 }
        return try await next.dispatch(request)
      }
    }
    #expect(try await pipeline.send(.example).status == .ok)
    #expect(server.requests.count == 100)
  }
}

@Suite("Counts of calls of next")
struct NextCallCountsTests {
  @Test("Each run has a number and a count of its own, of which 2 stands for any more")
  func counts() {
    let counts = NextCallCounts()
    for run in 0..<130 {
      #expect(counts.startRun() == run)
      for call in 1...(run % 4 + 1) { #expect(counts.add(to: run) == min(call, 2)) }
    }
    for run in 0..<130 { #expect(counts.count(of: run) == min(run % 4 + 1, 2)) }
    for run in 130..<135 { #expect(counts.count(of: run) == 0) }
  }

  @Test(
    "A number of calls is permitted or has a remedy",
    arguments: [
      (InterceptorTraits.NextCalls.exactlyOnce, [0: "declare .atMostOnce", 2: "declare .anyNumber"]),
      (.atMostOnce, [2: "declare .anyNumber"]), (.anyNumber, [:]),
    ])
  func faults(_ declared: InterceptorTraits.NextCalls, _ remedies: [Int: String]) {
    for calls in 0...2 {
      let fault = declared.fault(after: calls)
      #expect((fault == nil) == (remedies[calls] == nil))
      if let remedy = remedies[calls] { #expect(fault?.contains(remedy) == true) }
    }
  }
}
