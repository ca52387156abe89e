import HTTPTypes
import Switchyard
import SwitchyardTesting
import Testing

/// What the circuit breaker of retry does where a trial request meets a cache or a renewal of credentials.
@Suite("Circuit breaker in the chain", .timeLimit(.minutes(5)))
struct CircuitBreakerMeetingsTests {
  /// A server with one path that always fails, over which a circuit breaker opens after one failure.
  private struct Fixture {
    let clock = TestClock()
    let time: TimeSource
    let retry: RetryInterceptor
    let caching: CachingInterceptor
    let server: ScriptedDispatcher

    init(_ answer: @escaping @Sendable (Request) -> Response) {
      let start = WallTime.now()
      let time = TimeSource(clock) { [clock] in start.advanced(by: clock.now.offset) }
      self.time = time
      let breaker = CircuitBreaker(failureLimit: 1, pause: .seconds(30))
      retry = RetryInterceptor(.never, circuitBreaker: breaker, time: time)
      caching = CachingInterceptor(defaultRule: .stated(), time: time)
      server = ScriptedDispatcher { request, _ throws(NetworkError) in
        guard request.head.path != "/down" else { return Response(status: .serviceUnavailable) }
        var response = answer(request)
        response.head.headerFields[.date] = HTTPDate.format(time.wallTime())
        return response
      }
    }

    /// Opens the circuit breaker, and advances the clock beyond its pause.
    func passOutage(of chain: Pipeline) async throws {
      #expect(try await chain.send(get("/down")).status == .serviceUnavailable)
      let error = await #expect(throws: NetworkError.self) { try await chain.send(get("/up")) }
      #expect(error?.kind == .rejected)
      clock.advance(by: .seconds(60))
    }
  }

  /// Holds what leaves the cache for one path, once it is closed.
  private struct Gate: Interceptor {
    let traits = InterceptorTraits(stage: Stage(rank: 510, name: "gate"))
    let isOpen = WaitableValue(true)
    let arrived = WaitableValue(0)

    func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
      if request.head.path == "/stored" {
        arrived.update { $0 += 1 }
        try await isOpen.wait { $0 }
      }
      return try await next.dispatch(request)
    }
  }

  private static func stored(_ control: String) -> Response {
    Response(status: .ok, headerFields: [.cacheControl: control])
  }

  @Test("A refresh in the background is no trial, and the next request is")
  func backgroundRefresh() async throws {
    let fixture = Fixture { _ in Self.stored("max-age=10, stale-while-revalidate=600") }
    let gate = Gate()
    let chain = try Pipeline.standard(
      over: fixture.server, retry: fixture.retry, caching: fixture.caching, adding: [gate],
      time: fixture.time)
    _ = try await chain.send(get("/stored"))
    try await fixture.passOutage(of: chain)
    gate.isOpen.update { $0 = false }
    #expect(try await chain.send(get("/stored")).exchange.cache?.isHit == true)
    _ = try await gate.arrived.wait { $0 == 2 }
    // The refresh leaves after its attempt has ended.
    gate.isOpen.update { $0 = true }
    await fixture.caching.refreshesEnded()
    #expect(fixture.server.requests.map(\.head.path) == ["/stored", "/down"])
    #expect(try await chain.send(get("/up")).status == .ok)
    // The circuit is closed, so that the refresh of another hit is sent.
    #expect(try await chain.send(get("/stored")).exchange.cache?.isHit == true)
    await fixture.caching.refreshesEnded()
    #expect(fixture.server.requests.map(\.head.path) == ["/stored", "/down", "/up", "/stored"])
  }

  @Test("A trial that a cache behind it answers is left to the next request")
  func cacheInTheBase() async throws {
    let fixture = Fixture { _ in Self.stored("max-age=600") }
    let base = try Pipeline(over: fixture.server) { fixture.caching }
    let chain = try Pipeline(over: base) { fixture.retry }
    _ = try await chain.send(get("/stored"))
    try await fixture.passOutage(of: chain)
    #expect(try await chain.send(get("/stored")).exchange.cache?.isHit == true)
    #expect(try await chain.send(get("/up")).status == .ok)
    #expect(fixture.server.requests.map(\.head.path) == ["/stored", "/down", "/up"])
  }

  @Test("A trial that is refused with 401 is sent again with a new token")
  func refusedTrial() async throws {
    struct Tokens: TokenSource {
      func token(replacing previous: AccessToken?) async throws -> AccessToken { try AccessToken("b") }
    }
    let fixture = Fixture { request in
      Response(status: request.head.headerFields[.authorization] == "Bearer b" ? .ok : .unauthorized)
    }
    let member = BearerAuthorization(from: Tokens(), starting: try AccessToken("a"), time: fixture.time)
    let chain = try Pipeline.standard(
      over: fixture.server, retry: fixture.retry,
      authorization: AuthorizationInterceptor(member, for: ["api.example"]), caching: fixture.caching,
      time: fixture.time)
    try await fixture.passOutage(of: chain)
    #expect(try await chain.send(get("/up")).status == .ok)
    #expect(fixture.server.requests.map(\.head.path) == ["/down", "/up", "/up"])
    #expect(try await chain.send(get("/up")).status == .ok)
  }

  @Test("A request that waits for a token does not leave if the circuit has opened meanwhile")
  func openedMeanwhile() async throws {
    struct Tokens: TokenSource {
      let isAsked = WaitableValue(false)
      let mayAnswer = WaitableValue(false)

      func token(replacing previous: AccessToken?) async throws -> AccessToken {
        isAsked.update { $0 = true }
        try await mayAnswer.wait { $0 }
        return try AccessToken("a")
      }
    }
    let (fixture, tokens) = (Fixture { _ in Response(status: .ok) }, Tokens())
    let member = BearerAuthorization(from: tokens, time: fixture.time)
    let chain = try Pipeline.standard(
      over: fixture.server, retry: fixture.retry,
      authorization: AuthorizationInterceptor(member, for: ["api.example"]), caching: fixture.caching,
      time: fixture.time)
    let waiting = Task { try await chain.send(get("/up")) }
    try await tokens.isAsked.wait { $0 }
    var down = get("/down")
    down.context.sendsCredentials = false
    #expect(try await chain.send(down).status == .serviceUnavailable)
    tokens.mayAnswer.update { $0 = true }
    let error = await #expect(throws: NetworkError.self) { try await waiting.value }
    #expect(error?.kind == .rejected)
    #expect(error?.requestMayHaveBeenProcessed == false)
    #expect(error?.reason.contains("are refused for another 30.0 seconds") == true)
    #expect(fixture.server.requests.map(\.head.path) == ["/down"])
  }

  @Test("A trial is sent again without its condition after a 304 for another response")
  func foreignNotModified() async throws {
    let fixture = Fixture { request in
      let isConditional = request.head.headerFields[.ifNoneMatch] != nil
      return Response(
        status: isConditional ? .notModified : .ok,
        headerFields: [.cacheControl: "max-age=10", .eTag: isConditional ? "\"b\"" : "\"a\""])
    }
    let chain = try Pipeline.standard(
      over: fixture.server, retry: fixture.retry, caching: fixture.caching, time: fixture.time)
    _ = try await chain.send(get("/stored"))
    try await fixture.passOutage(of: chain)
    #expect(try await chain.send(get("/stored")).status == .ok)
    #expect(fixture.server.requests.map(\.head.path) == ["/stored", "/down", "/stored", "/stored"])
  }
}

private func get(_ path: String) -> Request { Request(authority: "api.example", path: path) }
