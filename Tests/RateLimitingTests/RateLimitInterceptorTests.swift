import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import RateLimiting

@Suite(.timeLimit(.minutes(5)))
struct RateLimitInterceptorTests {
  /// A rate-limited chain under a clock that the test advances.
  private struct Fixture {
    let clock = TestClock()
    let server = ScriptedDispatcher()
    let limiter: RateLimitInterceptor
    let chain: any Dispatcher
    let sent = WaitableValue<[String]>([])

    init(_ limit: RateLimit, maximumWaiting: Int = 100) {
      limiter = RateLimitInterceptor(limit, maximumWaiting: maximumWaiting, time: TimeSource(clock))
      let sent = sent
      let noting = InlineInterceptor("Noting", stage: .logging) { request, next in
        sent.update { $0.append(request.head.path ?? "") }
        return try await next.dispatch(request)
      }
      chain = server.intercepted(by: limiter, noting)
    }

    func send(_ path: String = "/", to authority: String = "api.example", scheme: String = "https") -> Task<
      Response, any Error
    > {
      Task { [chain] in
        try await chain.dispatch(Request(scheme: scheme, authority: authority, path: path))
      }
    }

    /// Sends a request, and returns when it waits behind `count - 1` others.
    func queue(_ path: String, _ count: Int) async throws -> Task<Response, any Error> {
      let task = send(path)
      try await waitUntil("\(count) requests wait") { limiter.waitingCount >= count }
      return task
    }
  }

  @Test("Requests within the burst are sent at once, and further ones at the rate")
  func rate() async throws {
    let fixture = Fixture(RateLimit(10, burst: 2))
    for path in ["/1", "/2"] { _ = try await fixture.send(path).value }
    let third = try await fixture.queue("/3", 1)
    let fourth = try await fixture.queue("/4", 2)
    try await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .milliseconds(99))
    #expect(fixture.sent.value == ["/1", "/2"])
    fixture.clock.advance(by: .milliseconds(1))
    _ = try await third.value
    try await fixture.clock.waitForSleepers()
    #expect(fixture.sent.value == ["/1", "/2", "/3"])
    fixture.clock.advance(by: .milliseconds(100))
    _ = try await fourth.value
    #expect(fixture.sent.value == ["/1", "/2", "/3", "/4"])
  }

  @Test("Waiting requests are sent in the order of their arrival")
  func order() async throws {
    let fixture = Fixture(RateLimit(1_000, burst: 1))
    _ = try await fixture.send("/0").value
    var tasks: [Task<Response, any Error>] = []
    for number in 1...50 { tasks.append(try await fixture.queue("/\(number)", number)) }
    for number in 1...50 {
      try await fixture.clock.waitForSleepers()
      fixture.clock.advance(by: .milliseconds(1))
      try await fixture.sent.wait { $0.count == number + 1 }
    }
    for task in tasks { _ = try await task.value }
    #expect(fixture.sent.value == (0...50).map { "/\($0)" })
  }

  @Test("A request that finds the maximum number of requests waiting is refused with the remedy")
  func refusal() async throws {
    let fixture = Fixture(RateLimit(1, burst: 1), maximumWaiting: 1)
    _ = try await fixture.send().value
    let waiting = try await fixture.queue("/waits", 1)
    let error = try await #require(throws: NetworkError.self) { try await fixture.send("/no?token=x").value }
    #expect(error.kind == .rejected)
    #expect(error.origin == .interceptor("RateLimitInterceptor"))
    #expect(
      error.reason
        == "1 requests to https://api.example wait already, because the rate is limited to 1 requests per 1.0 "
        + "seconds; send fewer requests, or raise the rate or RateLimitInterceptor(maximumWaiting:).")
    try await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(1))
    _ = try await waiting.value
    #expect(fixture.sent.value == ["/", "/waits"])
  }

  @Test("A cancelled request is not sent, takes no token and leaves its place to the next one")
  func cancelling() async throws {
    let fixture = Fixture(RateLimit(1, burst: 1))
    _ = try await fixture.send("/0").value
    var tasks: [Task<Response, any Error>] = []
    for number in 1...4 { tasks.append(try await fixture.queue("/\(number)", number)) }
    try await fixture.clock.waitForSleepers()
    for index in [1, 0] {
      tasks[index].cancel()
      let error = await #expect(throws: NetworkError.self) { try await tasks[index].value }
      #expect(error?.kind == .cancelled(.task))
    }
    for index in [2, 3] {
      try await fixture.clock.waitForSleepers()
      fixture.clock.advance(by: .seconds(1))
      _ = try await tasks[index].value
    }
    #expect(fixture.sent.value == ["/0", "/3", "/4"])
    #expect(fixture.limiter.waitingCount == 0)
  }

  @Test("Random cancellations end every request once, in order and within the rate")
  func randomCancellations() async throws {
    for seed in UInt64(0)..<10 {
      var random = SeededRandom(seed: seed)
      let fixture = Fixture(RateLimit(1, burst: 1))
      _ = try await fixture.send("/0").value
      var tasks: [Task<Response, any Error>] = []
      for number in 1...30 { tasks.append(try await fixture.queue("/\(number)", number)) }
      let cancelled = Set(tasks.indices.filter { _ in Bool.random(using: &random) })
      for index in cancelled.shuffled(using: &random) { tasks[index].cancel() }
      for index in cancelled {
        await #expect(throws: NetworkError.self) { try await tasks[index].value }
      }
      let kept = tasks.indices.filter { !cancelled.contains($0) }
      for index in kept {
        try await fixture.clock.waitForSleepers()
        fixture.clock.advance(by: .seconds(1))
        _ = try await tasks[index].value
      }
      #expect(fixture.sent.value == ["/0"] + kept.map { "/\($0 + 1)" }, "seed \(seed)")
      #expect(fixture.limiter.waitingCount == 0, "seed \(seed)")
    }
  }

  @Test("Each origin has a bucket of its own; case, user name and default port don't make another origin")
  func origins() async throws {
    let fixture = Fixture(RateLimit(1, burst: 1), maximumWaiting: 0)
    let origins = [
      ("https", "api.example"), ("http", "api.example"), ("https", "other.example"),
      ("https", "api.example:8443"), ("https", "[2001:db8::443]"),
    ]
    for (scheme, authority) in origins { _ = try await fixture.send(to: authority, scheme: scheme).value }
    for (scheme, authority) in origins + [
      ("https", "API.example:443"), ("HTTPS", "api.Example"), ("http", "api.example:80"),
      ("https", "user@api.example"),
    ] {
      let error = await #expect(throws: NetworkError.self) {
        try await fixture.send(to: authority, scheme: scheme).value
      }
      #expect(error?.reason.contains("user") == false)
    }
    #expect(fixture.limiter.originCount == origins.count)
  }

  @Test("Origins whose buckets are full again are forgotten")
  func forgetting() async throws {
    let fixture = Fixture(RateLimit(1, burst: 1))
    for round in 0..<10 {
      for number in 0..<64 { _ = try await fixture.send(to: "host\(round)-\(number).example").value }
      fixture.clock.advance(by: .seconds(1))
    }
    #expect(fixture.limiter.originCount <= 128)
  }

  @Test("Each attempt takes a token, and a response from the cache takes none")
  func place() async throws {
    let fixture = Fixture(RateLimit(1, burst: 2), maximumWaiting: 0)
    let retrying = InlineInterceptor("Retrying", stage: .retry) { request, next in
      _ = try await next.dispatch(request)
      return try await next.dispatch(request.asAttempt(2))
    }
    let caching = InlineInterceptor("Caching", stage: .caching) { request, next in
      request.head.path == "/stored" ? Response(status: .ok) : try await next.dispatch(request)
    }
    let pipeline = try Pipeline(over: fixture.server) {
      retrying
      caching
      fixture.limiter
      InlineInterceptor("Routing", stage: .routing) { try await $1.dispatch($0) }
    }
    _ = try await pipeline.send(Request(authority: "api.example", path: "/stored"))
    _ = try await pipeline.send(Request(authority: "api.example", path: "/"))
    #expect(fixture.server.requests.count == 2)
    _ = try await pipeline.send(Request(authority: "api.example", path: "/stored"))
    await #expect(throws: NetworkError.self) {
      try await pipeline.send(Request(authority: "api.example", path: "/"))
    }
  }

  @Test("The interceptor satisfies the laws")
  func laws() async throws {
    let report = await checkInterceptorLaws(RateLimitInterceptor(RateLimit(1_000)))
    #expect(report.violations.isEmpty, "\(report)")
    #expect(report.unproven.isEmpty, "\(report)")
  }
}
