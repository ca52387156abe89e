import HTTPTypes
import Switchyard
import SwitchyardTesting
import Testing

/// What the interceptors of the standard chain do where accounts, tokens, caches and retries meet.
@Suite("Identity and departure", .timeLimit(.minutes(5)))
struct IdentityAndDepartureTests {
  private struct Tokens: TokenSource {
    let calls = WaitableValue(0)
    let result: @Sendable (Int) throws -> AccessToken

    func token(replacing previous: AccessToken?) async throws -> AccessToken {
      let number = calls.update { number in
        number += 1
        return number
      }
      return try result(number)
    }
  }

  private static func get(_ path: String = "/me") -> Request {
    Request(authority: "api.example", path: path)
  }

  private static func text(_ response: Response) async throws -> String {
    String(decoding: try await response.body.collect(upTo: 1_024), as: UTF8.self)
  }

  private static func chain(
    over server: some Dispatcher, _ member: some AuthorizationScheme, retry: RetryInterceptor? = nil,
    signing: SigningInterceptor? = nil, time: TimeSource
  ) throws -> Pipeline {
    try Pipeline.standard(
      over: server, retry: retry, authorization: AuthorizationInterceptor(member, for: ["api.example"]),
      signing: signing, caching: CachingInterceptor(defaultRule: .stated(), time: time), time: time)
  }

  @Test("I2: A request after a login never gets the response to a request with the token before")
  func replacedToken() async throws {
    let (hold, arrived) = (WaitableValue(false), WaitableValue(0))
    let time = TimeSource(TestClock())
    let server = ScriptedDispatcher { request, _ throws(NetworkError) in
      arrived.update { $0 += 1 }
      var fields: HTTPFields = [.cacheControl: "max-age=60"]
      fields[.date] = HTTPDate.format(time.wallTime())
      let token = request.head.headerFields[.authorization] ?? "none"
      if token == "Bearer a" { _ = try? await hold.wait { $0 } }
      return Response(status: .ok, headerFields: fields, bytes: Array(token.utf8))
    }
    let member = BearerAuthorization(try AccessToken("a"))
    let chain = try Self.chain(over: server, member, time: time)
    async let before = Self.text(chain.send(Self.get()))
    _ = try await arrived.wait { $0 == 1 }
    member.replaceToken(with: try AccessToken("b"))
    let after = try await chain.send(Self.get())
    #expect(try await Self.text(after) == "Bearer b")
    hold.update { $0 = true }
    #expect(try await before == "Bearer a")
    // Neither is the stored response of the login before used for the new one.
    let stored = try await chain.send(Self.get())
    #expect(stored.exchange.cache?.isHit == true && server.requests.count == 2)
    #expect(try await Self.text(stored) == "Bearer b")
  }

  @Test("I2: Requests with credentials of an unknown account are sent one by one")
  func unknownAccount() async throws {
    struct Keys: AuthorizationScheme {
      let count = WaitableValue(0)
      func credentials(for request: Request) async throws -> Credentials? {
        let number = count.update { number in
          number += 1
          return number
        }
        return try Credentials("account-\(number)")
      }
    }
    let (hold, arrived) = (WaitableValue(false), WaitableValue(0))
    let server = ScriptedDispatcher { _, _ throws(NetworkError) in
      arrived.update { $0 += 1 }
      _ = try? await hold.wait { $0 }
      return Response(status: .ok)
    }
    let chain = try Pipeline.standard(
      over: server, authorization: AuthorizationInterceptor(Keys(), for: ["api.example"]))
    async let first = chain.send(Self.get())
    async let second = chain.send(Self.get())
    _ = try await arrived.wait { $0 == 2 }
    hold.update { $0 = true }
    _ = try await (first, second)
  }

  @Test("I6: A fresh stored response needs neither token nor signature; a stale one helps without a token")
  func expiredToken() async throws {
    let clock = TestClock()
    let start = WallTime.now()
    let time = TimeSource(clock) { start.advanced(by: clock.now.offset) }
    var fields: HTTPFields = [.cacheControl: "max-age=60, stale-if-error=600"]
    fields[.date] = HTTPDate.format(time.wallTime())
    let server = ScriptedDispatcher(
      answering: Response(status: .ok, headerFields: fields, bytes: Array("me".utf8)))
    let tokens = Tokens { _ in throw AuthorizationError(.tokenEndpointStatus(500)) }
    let member = BearerAuthorization(
      from: tokens,
      starting: try AccessToken("a", expiry: time.wallTime().advanced(by: .seconds(30))), account: "7",
      leeway: .zero, time: time)
    let signatures = WaitableValue(0)
    let signing = SigningInterceptor(
      keys: SigningKeys(try SigningKey(id: "k", secret: Array(repeating: 7, count: 32))), time: time,
      nonces: {
        signatures.update { $0 += 1 }
        return Nonce.random()
      })
    let chain = try Self.chain(
      over: server, member, retry: RetryInterceptor(time: time), signing: signing, time: time)
    _ = try await chain.send(Self.get())
    #expect(signatures.value == 1)
    clock.advance(by: .seconds(40))
    let hit = try await chain.send(Self.get())
    #expect(hit.exchange.attempts == 0 && signatures.value == 1 && tokens.calls.value == 0)
    clock.advance(by: .seconds(40))
    // Sleeps of retries would wait for the clock, so there must be none.
    let stale = try await chain.send(Self.get())
    #expect(try await Self.text(stale) == "me")
    #expect(tokens.calls.value == 1 && server.requests.count == 1)
    var last = Self.get()
    last.context.cacheRule.mode = .onlyStored
    #expect(try await chain.send(last).status == .ok)
    // Nothing is stored here.
    let error = await #expect(throws: NetworkError.self) { try await chain.send(Self.get("/other")) }
    #expect(error?.underlying(as: AuthorizationError.self)?.reason == .tokenEndpointStatus(500))
    // The token endpoint was asked once for all of them.
    #expect(tokens.calls.value == 1 && server.requests.count == 1)
  }

  @Test("I5: A cache hit neither closes a circuit breaker nor is refused by it")
  func circuitBreaker() async throws {
    let clock = TestClock()
    let time = TimeSource(clock)
    var fields: HTTPFields = [.cacheControl: "max-age=600"]
    fields[.date] = HTTPDate.format(time.wallTime())
    let answered = Response(status: .ok, headerFields: fields)
    let server = ScriptedDispatcher { request, _ throws(NetworkError) in
      request.head.path == "/stored" ? answered : Response(status: .serviceUnavailable)
    }
    let chain = try Pipeline.standard(
      over: server,
      retry: RetryInterceptor(.never, circuitBreaker: CircuitBreaker(failureLimit: 3), time: time),
      caching: CachingInterceptor(defaultRule: .stated(), time: time), time: time)
    _ = try await chain.send(Self.get("/stored"))
    for number in 1...3 {
      #expect(try await chain.send(Self.get("/down")).status == .serviceUnavailable)
      #expect(try await chain.send(Self.get("/stored")).exchange.attempts == 0, "hit \(number)")
    }
    let error = await #expect(throws: NetworkError.self) { try await chain.send(Self.get("/down")) }
    #expect(error?.kind == .rejected && server.requests.count == 4)
    #expect(try await chain.send(Self.get("/stored")).status == .ok)
  }

  @Test("I4: A refresh whose reply was lost is not repeated by the retry around it")
  func lostRefresh() async throws {
    let tokens = Tokens { _ in
      throw NetworkError(.transport, "The reply was lost.", requestMayHaveBeenProcessed: true)
    }
    let server = ScriptedDispatcher()
    let chain = try Self.chain(
      over: server, BearerAuthorization(from: tokens), retry: RetryInterceptor(), time: .system)
    for _ in 1...50 {
      let error = await #expect(throws: NetworkError.self) { try await chain.send(Self.get()) }
      #expect(error?.kind == .transport)
    }
    #expect(tokens.calls.value == 1 && server.requests.isEmpty)
  }

  @Test("A call's time limit reaches the retry behind a flight, which returns a 503 that asks for too much")
  func limitBehindFlight() async throws {
    let server = ScriptedDispatcher(
      answering: Response(status: .serviceUnavailable, headerFields: [.retryAfter: "50"]))
    let clock = TestClock()
    let chain = try Pipeline.standard(
      over: server,
      retry: RetryInterceptor(RetryPolicy(retryAfterLimit: .seconds(60)), time: TimeSource(clock)),
      time: TimeSource(clock))
    var request = Self.get()
    request.options.timeouts.call = .seconds(5)
    let response = try await chain.send(request)
    #expect(response.status == .serviceUnavailable && server.requests.count == 1)
    #expect(response.exchange.retryRefusal == .noTimeLeft)
  }

  @Test("I3: Neither token nor signature is sent once a redirect has left the origin, nor on the way back")
  func redirectBack() async throws {
    let server = ScriptedDispatcher { request, number throws(NetworkError) in
      switch number {
      case 1: Response(status: .found, headerFields: [.location: "https://other.example/"])
      case 2: Response(status: .found, headerFields: [.location: "https://api.example/admin/delete?id=7"])
      default: Response(status: .unauthorized)
      }
    }
    let chain = try Self.chain(
      over: server, BearerAuthorization(try AccessToken("a")),
      signing: SigningInterceptor(key: try SigningKey(id: "k", secret: Array(repeating: 7, count: 32))),
      time: .system)
    #expect(try await chain.send(Self.get()).status == .unauthorized)
    let names = server.requests.map { request in
      request.head.headerFields.map(\.name).filter {
        $0 == .authorization || SignatureFields.all.contains($0)
      }
    }
    #expect(names.count == 3 && !names[0].isEmpty && names[1].isEmpty && names[2].isEmpty)
  }

  @Test(
    "I2: A request that is sent in place of a cancelled one leaves for its own account only",
    arguments: ["ann", "bob"])
  func successorAfterLogin(account: String) async throws {
    let server = ScriptedDispatcher { request, _ throws(NetworkError) in
      if request.head.headerFields[.authorization] == "Bearer b" { return Response(status: .ok) }
      do { try await WaitableValue(false).wait { $0 } } catch {}
      throw NetworkError(.cancelled(.task), "The request was cancelled.")
    }
    let member = BearerAuthorization(try AccessToken("a"), account: "ann")
    let sharing = SharingInterceptor()
    let chain = try Pipeline.standard(
      over: server, sharing: sharing, authorization: AuthorizationInterceptor(member, for: ["api.example"]))
    let first = Task { try await chain.send(Self.get()) }
    try await waitUntil("the first request was sent") { server.requests.count == 1 }
    let second = Task { try await chain.send(Self.get()) }
    try await waitUntil("the second request has joined it") { sharing.waitingCount == 2 }
    member.replaceToken(with: try AccessToken("b"), account: account)
    first.cancel()
    let cancelled = await #expect(throws: NetworkError.self) { try await first.value }
    #expect(cancelled?.kind == .cancelled(.task))
    if account == "ann" {
      #expect(try await second.value.exchange.attempts == 1)
      #expect(server.requests.count == 2)
    } else {
      let error = await #expect(throws: NetworkError.self) { try await second.value }
      #expect(error?.underlying(as: AuthorizationError.self) == .tokenReplaced)
      #expect(server.requests.count == 1)
    }
    #expect(sharing.flightCount == 0)
  }
}
