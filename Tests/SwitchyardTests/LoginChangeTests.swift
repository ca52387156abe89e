import HTTPTypes
import Switchyard
import SwitchyardTesting
import Testing

/// What happens to a request whose login is replaced before it leaves the device.
@Suite("Login changes in the chain", .timeLimit(.minutes(5)))
struct LoginChangeTests {
  /// Holds the requests between authorization and cache.
  private struct Gate: Interceptor {
    let traits = InterceptorTraits(stage: Stage(rank: 490, name: "gate"))
    let isOpen = WaitableValue(false)
    let arrived = WaitableValue(0)

    func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
      arrived.update { $0 += 1 }
      try await isOpen.wait { $0 }
      return try await next.dispatch(request)
    }
  }

  /// A source whose tokens never arrive.
  private struct SlowTokens: TokenSource {
    let isAsked = WaitableValue(false)

    func token(replacing previous: AccessToken?) async throws -> AccessToken {
      isAsked.update { $0 = true }
      _ = try await WaitableValue(false).wait { $0 }
      return try AccessToken("late")
    }
  }

  private static func request(in partition: String = "") -> Request {
    var request = Request(authority: "api.example", path: "/me")
    request.context.partition = partition
    return request
  }

  private static func tokens(of server: ScriptedDispatcher) -> [String?] {
    server.requests.map { $0.head.headerFields[.authorization] }
  }

  private static func isTokenReplaced(_ error: NetworkError?) -> Bool {
    error?.underlying(as: AuthorizationError.self) == .tokenReplaced && error?.kind == .rejected
      && error?.requestMayHaveBeenProcessed == false
  }

  @Test(
    "I2: A request that waits for its next attempt isn't sent with the token of another login",
    arguments: ["", "a"])
  func backOff(partition: String) async throws {
    let clock = TestClock()
    let time = TimeSource(clock)
    let server = ScriptedDispatcher { _, number throws(NetworkError) in
      guard number == 1 else { return Response(status: .ok) }
      return Response(status: .serviceUnavailable, headerFields: [.retryAfter: "5"])
    }
    let member = BearerAuthorization(try AccessToken("a"), account: "a")
    let chain = try Pipeline.standard(
      over: server, retry: RetryInterceptor(time: time),
      authorization: AuthorizationInterceptor(member, for: ["api.example"]), time: time)
    async let response = chain.send(Self.request(in: partition))
    try await clock.waitForSleepers()
    member.replaceToken(with: try AccessToken("b"), account: "b")
    clock.advance(by: .seconds(60))
    var error: NetworkError?
    do { _ = try await response } catch let failure as NetworkError { error = failure }
    #expect(error?.underlying(as: AuthorizationError.self) == .tokenReplaced)
    #expect(Self.tokens(of: server) == ["Bearer a"])
    #expect(try await chain.send(Self.request()).status == .ok)
    #expect(Self.tokens(of: server) == ["Bearer a", "Bearer b"])
  }

  @Test("A request that waits for its next attempt is sent with the token of a new login to its account")
  func sameAccount() async throws {
    let clock = TestClock()
    let time = TimeSource(clock)
    let server = ScriptedDispatcher { _, number throws(NetworkError) in
      Response(status: number == 1 ? .serviceUnavailable : .ok)
    }
    let member = BearerAuthorization(try AccessToken("a"), account: "ann")
    let chain = try Pipeline.standard(
      over: server, retry: RetryInterceptor(time: time),
      authorization: AuthorizationInterceptor(member, for: ["api.example"]), time: time)
    async let response = chain.send(Self.request())
    try await clock.waitForSleepers()
    member.replaceToken(with: try AccessToken("b"), account: "ann")
    clock.advance(by: .seconds(60))
    #expect(try await response.status == .ok)
    #expect(Self.tokens(of: server) == ["Bearer a", "Bearer b"])
    #expect(server.requests.map(\.context.partition) == ["ann", "ann"])
  }

  @Test("A scheme that creates the identity of a named account anew has one partition, over retries too")
  func identityMadeAnew() async throws {
    struct Key: AuthorizationScheme {
      func credentials(for request: Request) async throws -> Credentials? { try Credentials("k") }
      func identity(for request: Request) -> Request.Identity? { .account("ann") }
    }
    let clock = TestClock()
    let time = TimeSource(clock)
    let server = ScriptedDispatcher { _, number throws(NetworkError) in
      Response(status: number == 1 ? .serviceUnavailable : .ok)
    }
    let chain = try Pipeline.standard(
      over: server, retry: RetryInterceptor(time: time),
      authorization: AuthorizationInterceptor(Key(), for: ["api.example"]), time: time)
    async let response = chain.send(Self.request())
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(60))
    #expect(try await response.status == .ok)
    #expect(server.requests.map(\.context.partition) == ["ann", "ann"])
  }

  @Test("I2: A request that waits behind authorization isn't sent with the token of another login")
  func held() async throws {
    let server = ScriptedDispatcher()
    let gate = Gate()
    let member = BearerAuthorization(try AccessToken("a"))
    let chain = try Pipeline.standard(
      over: server, authorization: AuthorizationInterceptor(member, for: ["api.example"]), adding: [gate])
    async let response = chain.send(Self.request())
    _ = try await gate.arrived.wait { $0 == 1 }
    member.replaceToken(with: try AccessToken("b"))
    gate.isOpen.update { $0 = true }
    var error: NetworkError?
    do { _ = try await response } catch let failure as NetworkError { error = failure }
    #expect(Self.isTokenReplaced(error))
    #expect(server.requests.isEmpty)
    #expect(try await chain.send(Self.request()).status == .ok)
    #expect(Self.tokens(of: server) == ["Bearer b"])
  }

  @Test("A request that waits for a first token is sent with that of the login", arguments: [nil, "b"])
  func firstLogin(account: String?) async throws {
    let server = ScriptedDispatcher()
    let tokens = SlowTokens()
    let member = BearerAuthorization(from: tokens)
    let chain = try Pipeline.standard(
      over: server, authorization: AuthorizationInterceptor(member, for: ["api.example"]))
    async let response = chain.send(Self.request())
    _ = try await tokens.isAsked.wait { $0 }
    member.replaceToken(with: try AccessToken("b"), account: account)
    #expect(try await response.status == .ok)
    #expect(Self.tokens(of: server) == ["Bearer b"])
    // It isn't a request of the account, because it was made before the login.
    #expect(server.requests.first?.context.partition != account)
  }

  @Test("I2: A refused request isn't sent again with the credentials of another login")
  func renewed() async throws {
    /// A scheme of the app's own, whose user logs in as another one while the credentials are renewed.
    struct Keys: AuthorizationScheme {
      let login = WaitableValue((key: "a", identity: Request.Identity.account("a")))
      func credentials(for request: Request) async throws -> Credentials? { try Credentials(login.value.key) }
      func identity(for request: Request) -> Request.Identity? { login.value.identity }
      func canRenewCredentials(for request: Request, after refusal: Refusal) -> Bool { true }
      func renewedCredentials(for request: Request, after refusal: Refusal) async throws -> Credentials {
        login.update { $0 = ("b", .account("b")) }
        return try Credentials(login.value.key)
      }
    }
    let server = ScriptedDispatcher(answering: Response(status: .unauthorized))
    let chain = try Pipeline.standard(
      over: server, authorization: AuthorizationInterceptor(Keys(), for: ["api.example"]))
    let error = await #expect(throws: NetworkError.self) { try await chain.send(Self.request()) }
    #expect(error?.underlying(as: AuthorizationError.self) == .tokenReplaced)
    #expect(Self.tokens(of: server) == ["a"])
  }

  @Test("A request of a named account that waits for its token isn't sent with that of another account")
  func otherAccount() async throws {
    let server = ScriptedDispatcher()
    let tokens = SlowTokens()
    let member = BearerAuthorization(from: tokens, account: "a")
    let chain = try Pipeline.standard(
      over: server, authorization: AuthorizationInterceptor(member, for: ["api.example"]))
    async let response = chain.send(Self.request())
    _ = try await tokens.isAsked.wait { $0 }
    member.replaceToken(with: try AccessToken("b"), account: "b")
    var error: NetworkError?
    do { _ = try await response } catch let failure as NetworkError { error = failure }
    #expect(Self.isTokenReplaced(error))
    #expect(server.requests.isEmpty)
  }

  @Test("I2: A stored response isn't used for another password of the same user")
  func replacedPassword() async throws {
    let clock = TestClock()
    let time = TimeSource(clock)
    let server = ScriptedDispatcher { request, _ throws(NetworkError) in
      let bytes = Array((request.head.headerFields[.authorization] ?? "none").utf8)
      var fields: HTTPFields = [.cacheControl: "private, max-age=600"]
      fields[.date] = HTTPDate.format(time.wallTime())
      return Response(status: .ok, headerFields: fields, bytes: bytes)
    }
    let caching = CachingInterceptor(defaultRule: .stated(), time: time)
    func hit(_ user: String, _ password: String) async throws -> Bool? {
      let scheme = try BasicAuthorization(user: user, password: password)
      let chain = try Pipeline.standard(
        over: server, authorization: AuthorizationInterceptor(scheme, for: ["api.example"]),
        caching: caching, time: time)
      _ = try await chain.send(Self.request())
      return try await chain.send(Self.request()).exchange.cache?.isHit
    }
    #expect(try await hit("x-access-token", "one") == true)
    #expect(try await hit("x-access-token", "two") == true)
    #expect(try await hit("", "three") == true)
    #expect(server.requests.count == 3)
    // Neither is that of an empty user used for a request without credentials.
    let anonymous = try Pipeline.standard(over: server, caching: caching, time: time)
    #expect(try await anonymous.send(Self.request()).exchange.cache?.isHit == false)
  }
}
