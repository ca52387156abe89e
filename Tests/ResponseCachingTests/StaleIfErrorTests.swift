import HTTPTypes
import Interception
import RequestRetry
import ResponseCaching
import SwitchyardTesting
import Testing

/// RFC 5861, section 4.
@Suite(.timeLimit(.minutes(5)))
struct StaleIfErrorTests {
  private static let fields: HTTPFields = [.cacheControl: "max-age=10, stale-if-error=20", .eTag: "\"a\""]
  private static let failure = NetworkError(.connect, "No connection.")

  /// A server that fails after its first response.
  private func fixture(
    _ fields: HTTPFields = fields, rule: CacheRule = .timed(.seconds(10)),
    failing failure: @escaping ScriptedDispatcher.Script
  ) async throws -> CacheFixture {
    let fixture = CacheFixture { request, number throws(NetworkError) in
      guard number > 1 else { return Response(status: .ok, headerFields: fields, bytes: [1]) }
      return try await failure(request, number)
    }
    _ = try await fixture.send(.houses(rule: rule))
    fixture.clock.advance(by: .seconds(12))
    return fixture
  }

  private func unavailable(_ fields: HTTPFields = fields) async throws -> CacheFixture {
    try await fixture(fields) { _, _ throws(NetworkError) in Response(status: .serviceUnavailable) }
  }

  @Test("A stale response is used for 500, 502, 503 and 504, and for no other status", arguments: 400...599)
  func statuses(_ code: Int) async throws {
    let fixture = try await fixture(rule: .stated()) { _, _ throws(NetworkError) in
      Response(status: HTTPResponse.Status(code: code), headerFields: [.cacheControl: "max-age=60"])
    }
    for _ in 1...2 {
      let response = try await fixture.send(.houses(rule: .stated()))
      guard [500, 502, 503, 504].contains(code) else {
        #expect(response.status.code == code)
        return
      }
      // The failure isn't stored in its place, whatever lifetime it states.
      #expect(response.status == .ok)
      #expect(try await response.body.collect(upTo: 9) == [1])
      #expect(response.exchange.cache == .staleOnError(status: code, ttl: -2))
      #expect(response.head.headerFields[.age] == "12")
    }
    #expect(fixture.server.requests.count == 3)
  }

  @Test(
    "A stale response is used if the server gave none, but not for failures of other kinds",
    arguments: [
      (.offline, true), (.resolve, true), (.connect, true), (.transport, true), (.timeout(.firstByte), true),
      (.protocolViolation, true), (.tls(.handshake), true), (.tls(.pinMismatch), false),
      (.tls(.untrusted), false), (.timeout(.call), false), (.cancelled(.task), false), (.rejected, false),
      (.needsLogin, false), (.bodyTooLarge(limit: 3), false), (.invalidRequest, false),
    ] as [(NetworkError.Kind, Bool)])
  func errors(_ kind: NetworkError.Kind, isReplaced: Bool) async throws {
    let fixture = try await fixture { _, _ throws(NetworkError) in throw NetworkError(kind, "It failed.") }
    if isReplaced {
      let response = try await fixture.send(.houses(rule: .timed(.seconds(10))))
      #expect(response.exchange.cache == .staleOnError(status: nil, ttl: -2))
      #expect(response.exchange.cache?.isHit == true)
    } else {
      let error = await #expect(throws: NetworkError.self) {
        try await fixture.send(.houses(rule: .timed(.seconds(10))))
      }
      #expect(error?.kind == kind)
    }
  }

  @Test("A response that was removed while the server failed is not used in place of the failure")
  func removedMeanwhile() async throws {
    let (isWaiting, isOpen) = (WaitableValue(false), WaitableValue(false))
    let fixture = try await fixture(rule: .stated()) { _, _ throws(NetworkError) in
      isWaiting.update { $0 = true }
      _ = try? await isOpen.wait { $0 }
      return Response(status: .serviceUnavailable)
    }
    async let response = fixture.send(.houses(rule: .stated()))
    _ = try await isWaiting.wait { $0 }
    await fixture.cache.removeAll()
    isOpen.update { $0 = true }
    #expect(try await response.status == .serviceUnavailable)
  }

  @Test("The window begins with the end of the lifetime, and includes its last second")
  func window() async throws {
    let fixture = try await unavailable()
    let rule = CacheRule.timed(.seconds(10))
    fixture.clock.advance(by: .seconds(18))
    #expect(
      try await fixture.send(.houses(rule: rule)).exchange.cache == .staleOnError(status: 503, ttl: -20))
    fixture.clock.advance(by: .nanoseconds(1))
    #expect(try await fixture.send(.houses(rule: rule)).status == .serviceUnavailable)
  }

  @Test("An API's rule and a request can have a window of their own")
  func otherWindows() async throws {
    let fixture = try await unavailable([.cacheControl: "max-age=10"])
    let rule = CacheRule.timed(.seconds(10))
    #expect(try await fixture.send(.houses(rule: rule)).status == .serviceUnavailable)
    #expect(
      try await fixture.send(.houses(rule: rule.staleIfError(for: .seconds(1)))).status == .serviceUnavailable
    )
    #expect(try await fixture.send(.houses(rule: rule.staleIfError(for: .seconds(2)))).status == .ok)
    let asking: HTTPFields = [.cacheControl: "stale-if-error=2"]
    #expect(try await fixture.send(.houses(rule: rule, fields: asking)).status == .ok)
  }

  @Test(
    "must-revalidate and no-cache forbid it, also against the rule",
    arguments: ["must-revalidate, stale-if-error=20", "no-cache", "max-age=10, must-revalidate"])
  func forbidden(_ control: String) async throws {
    let fixture = try await unavailable([.cacheControl: control])
    let rule = CacheRule.timed(.seconds(10)).staleIfError(for: .seconds(3_600))
    #expect(try await fixture.send(.houses(rule: rule)).status == .serviceUnavailable)
  }

  @Test(
    "A request that demands a current response gets the failure",
    arguments: ["no-cache", "max-age=60", "min-fresh=1", "no-cache, stale-if-error=60"])
  func demanding(_ control: String) async throws {
    let fixture = try await unavailable()
    let request = Request.houses(rule: .timed(.seconds(10)), fields: [.cacheControl: control])
    #expect(try await fixture.send(request).status == .serviceUnavailable)
  }

  @Test("A reload and a revalidation get the failure", arguments: [CacheRule.Mode.reload, .revalidate])
  func modes(_ mode: CacheRule.Mode) async throws {
    let fixture = try await unavailable()
    let request = Request.houses(rule: .timed(.seconds(10)).with(mode))
    #expect(try await fixture.send(request).status == .serviceUnavailable)
  }

  // MARK: With retries

  /// The cache of a fixture below real retries without waits.
  private func pipeline(
    _ fixture: CacheFixture, _ policy: RetryPolicy = RetryPolicy(backOff: RetryBackOff(base: .zero)),
    waitForNetwork: (@Sendable () async -> Void)? = nil
  ) throws -> Pipeline {
    try Pipeline(over: fixture.server, time: fixture.time) {
      RetryInterceptor(policy, waitForNetwork: waitForNetwork, time: fixture.time)
      fixture.cache
    }
  }

  @Test("The stale response is used only after the last attempt", arguments: [true, false])
  func lastAttempt(hasStatus: Bool) async throws {
    let fixture = try await fixture { _, _ throws(NetworkError) in
      guard hasStatus else { throw Self.failure }
      return Response(status: .serviceUnavailable)
    }
    let response = try await pipeline(fixture).send(.houses(rule: .timed(.seconds(10))))
    #expect(fixture.server.requests.count == 1 + 3)
    #expect(try await response.body.collect(upTo: 9) == [1])
    #expect(response.exchange.cache == .staleOnError(status: hasStatus ? 503 : nil, ttl: -2))
    #expect(response.exchange.retryRefusal == .noAttemptsLeft)
    #expect(response.exchange.attempts == 3)
  }

  @Test("An attempt that succeeds is used instead of the stale response")
  func laterSuccess() async throws {
    let fixture = try await fixture { _, number throws(NetworkError) in
      number < 3 ? Response(status: .badGateway) : Response(status: .ok, bytes: [UInt8(number)])
    }
    let response = try await pipeline(fixture).send(.houses(rule: .timed(.seconds(10))))
    #expect(try await response.body.collect(upTo: 9) == [3])
    #expect(response.exchange.cache == .forwarded(.stale, stored: true))
  }

  @Test("A failure that is not retried, or not now, ends with the stale response at once")
  func notRetried() async throws {
    let cases: [(HTTPResponse.Status, HTTPFields, Exchange.RetryRefusal?)] = [
      (.internalServerError, [:], nil), (.serviceUnavailable, [.retryAfter: "3600"], .retryAfterTooLong),
    ]
    for (status, fields, refusal) in cases {
      let fixture = try await fixture { _, _ throws(NetworkError) in
        Response(status: status, headerFields: fields)
      }
      let response = try await pipeline(fixture).send(.houses(rule: .timed(.seconds(10))))
      #expect(response.exchange.cache == .staleOnError(status: status.code, ttl: -2))
      #expect(response.exchange.retryRefusal == refusal)
      #expect(fixture.server.requests.count == 2)
    }
  }

  @Test("Without a network the stale response is used at once, also by a call that would wait for one")
  func offline() async throws {
    let fixture = try await fixture { _, _ throws(NetworkError) in
      throw NetworkError(.offline, "There is no network.")
    }
    let pipeline = try pipeline(fixture) { Issue.record("It waited for the network.") }
    let response = try await pipeline.send(.houses(rule: .timed(.seconds(10))))
    #expect(response.exchange.cache == .staleOnError(status: nil, ttl: -2))
    #expect(fixture.server.requests.count == 2)
  }
}
