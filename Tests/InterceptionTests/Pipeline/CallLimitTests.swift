import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite("The time limit of a call", .timeLimit(.minutes(5)))
struct CallLimitTests {
  private let clock = TestClock()

  private var request: Request {
    var request = Request(authority: "user:password@estate.example", path: "/houses?token=secret")
    request.options.timeouts.call = .seconds(10)
    return request
  }

  private func pipeline(
    over server: ScriptedDispatcher, observers: [any PipelineObserver] = [],
    @PipelineBuilder _ interceptors: () -> [any Interceptor] = { [] }
  ) throws -> Pipeline {
    try Pipeline(over: server, observers: observers, time: TimeSource(clock), interceptors)
  }

  /// A dispatcher that responds only to a cancellation.
  private var silent: ScriptedDispatcher {
    ScriptedDispatcher { [clock] _, _ throws(NetworkError) in
      do { try await clock.sleep(for: .seconds(1_000_000)) } catch {}
      throw NetworkError(.cancelled(.task), "The request was cancelled.", requestMayHaveBeenProcessed: true)
    }
  }

  @Test("A call without a limit reads no clock, and its dispatcher gets none")
  func unlimited() async throws {
    let server = ScriptedDispatcher()
    _ = try await pipeline(over: server).send(Request(authority: "estate.example", path: "/"))
    #expect(server.requests.map(\.options) == [RequestOptions()])
  }

  @Test("The dispatcher is cancelled at the limit, and the error names host, limit and remedy")
  func expired() async throws {
    let recorder = EventRecorder()
    let pipeline = try pipeline(over: silent, observers: [recorder])
    let task = Task { [request] in try await pipeline.send(request) }
    try await clock.waitForSleepers(2)
    clock.advance(by: .seconds(10))
    let error = try #require(await #expect(throws: NetworkError.self) { try await task.value })
    #expect(error.kind == .timeout(.call))
    #expect(error.label == "timeout_call")
    #expect(error.origin == .pipeline)
    #expect(error.requestMayHaveBeenProcessed)
    for part in ["estate.example", "10.0 seconds", "timeouts.call"] { #expect(error.reason.contains(part)) }
    for secret in ["password", "secret"] { #expect(!error.reason.contains(secret)) }
    guard case .finished(.failed(let reported)) = recorder.events.last?.kind else {
      Issue.record("The call's end was not reported.")
      return
    }
    #expect(reported.kind == .timeout(.call))
  }

  @Test("The limit also ends an interceptor that waits by itself")
  func waitingInterceptor() async throws {
    let server = ScriptedDispatcher()
    let pipeline = try pipeline(over: server) {
      InlineInterceptor("Waiting", stage: .authorization) { [clock] request, next in
        try await clock.sleep(for: .seconds(1_000_000))
        return try await next.dispatch(request)
      }
    }
    let task = Task { [request] in try await pipeline.send(request) }
    try await clock.waitForSleepers(2)
    clock.advance(by: .seconds(10))
    let error = await #expect(throws: NetworkError.self) { try await task.value }
    #expect(error?.kind == .timeout(.call))
    #expect(error?.requestMayHaveBeenProcessed == false)
    #expect(server.requests.isEmpty)
  }

  @Test("Each call of the dispatcher gets what is left, whatever interceptor repeats it")
  func remaining() async throws {
    let server = ScriptedDispatcher { [clock] _, _ throws(NetworkError) in
      clock.advance(by: .seconds(4))
      return Response(status: .serviceUnavailable)
    }
    let pipeline = try pipeline(over: server) {
      InlineInterceptor("Hopping", stage: .redirects) { [clock] request, next in
        try await clock.waitForSleepers()
        _ = try await next.dispatch(request)
        return try await next.dispatch(request)
      }
      Persisting(attempts: 2)
    }
    let error = await #expect(throws: NetworkError.self) { try await pipeline.send(request) }
    #expect(error?.kind == .timeout(.call))
    #expect(server.requests.map(\.options.timeouts.call) == [.seconds(10), .seconds(6), .seconds(2)])
    #expect(server.requests.map(\.options.timeouts.idle) == [.seconds(20), .seconds(20), .seconds(20)])
  }

  @Test("A limit that an interceptor shortens for one attempt is kept")
  func shortened() async throws {
    let server = ScriptedDispatcher()
    let pipeline = try pipeline(over: server) {
      InlineInterceptor("Shortening", stage: .routing) { request, next in
        var request = request
        request.options.timeouts.call = .seconds(3)
        return try await next.dispatch(request)
      }
    }
    _ = try await pipeline.send(request)
    #expect(server.requests.map(\.options.timeouts.call) == [.seconds(3)])
  }

  @Test("A call that ends in time returns its response or its own error")
  func inTime() async throws {
    let failure = NetworkError(.transport, "The connection was lost.", requestMayHaveBeenProcessed: true)
    #expect(try await pipeline(over: ScriptedDispatcher()).send(request).status == .ok)
    let error = await #expect(throws: NetworkError.self) {
      try await pipeline(over: ScriptedDispatcher(failing: failure)).send(request)
    }
    #expect(error?.kind == .transport)
    #expect(error?.origin == .dispatcher("ScriptedDispatcher"))
  }

  @Test("A response that arrives despite the cancellation is returned")
  func lateResponse() async throws {
    let server = ScriptedDispatcher { [clock] _, _ throws(NetworkError) in
      do { try await clock.sleep(for: .seconds(1_000_000)) } catch {}
      return Response(status: .ok)
    }
    let pipeline = try pipeline(over: server)
    let task = Task { [request] in try await pipeline.send(request) }
    try await clock.waitForSleepers(2)
    clock.advance(by: .seconds(10))
    #expect(try await task.value.status == .ok)
  }

  @Test("A caller's cancellation is not reported as a time limit")
  func cancelled() async throws {
    let pipeline = try pipeline(over: silent)
    let task = Task { [request] in try await pipeline.send(request) }
    try await clock.waitForSleepers(2)
    task.cancel()
    let error = await #expect(throws: NetworkError.self) { try await task.value }
    #expect(error?.kind == .cancelled(.task))
  }

  @Test("Without any time nothing is sent", arguments: [Duration.zero, .seconds(-1)])
  func noTime(limit: Duration) async throws {
    let server = ScriptedDispatcher()
    let pipeline = try pipeline(over: server)
    let request = Request(
      HTTPRequest(method: .get, scheme: "https", authority: "estate.example", path: "/"),
      options: RequestOptions(timeouts: .init(call: limit)))
    let error = await #expect(throws: NetworkError.self) { try await pipeline.send(request) }
    #expect(error?.kind == .timeout(.call))
    #expect(error?.requestMayHaveBeenProcessed == false)
    #expect(server.requests.isEmpty)
  }

  @Test("A body that can be read only once is collected within the limit")
  func collecting() async throws {
    let server = ScriptedDispatcher()
    let pipeline = try pipeline(over: server) {
      Standing("Reading", InterceptorTraits(stage: .signing, requestBody: .bytes(upTo: 8)))
    }
    var request = request
    request.body = .once(length: 2, ScriptedByteSource([[1], [2]]))
    _ = try await pipeline.send(request)
    #expect(server.requests.map(\.body.bytes) == [[1, 2]])
    #expect(server.requests.map(\.options.timeouts.call) == [.seconds(10)])
  }

  @Test("A pipeline within a pipeline has what is left for the outer one")
  func nested() async throws {
    let server = ScriptedDispatcher()
    let inner = try pipeline(over: server)
    let outer = try Pipeline(over: inner, time: TimeSource(clock)) {
      InlineInterceptor("Slow", stage: .signing) { [clock] request, next in
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(4))
        return try await next.dispatch(request)
      }
    }
    _ = try await outer.send(request)
    #expect(server.requests.map(\.options.timeouts.call) == [.seconds(6)])
  }
}
