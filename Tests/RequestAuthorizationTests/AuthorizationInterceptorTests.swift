import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

@testable import RequestAuthorization

@Suite(.timeLimit(.minutes(5))) struct AuthorizationInterceptorTests {
  /// A scheme whose credentials are renewed once, to `Bearer 2`.
  private struct Renewing: AuthorizationScheme {
    var failure: (any Error & Sendable)?
    var onRenewal: @Sendable () -> Void = {}

    func credentials(for request: Request) async throws -> Credentials? { try Credentials("Bearer 1") }

    func canRenewCredentials(for request: Request, after refusal: Refusal) -> Bool { true }

    func renewedCredentials(for request: Request, after refusal: Refusal) async throws -> Credentials {
      onRenewal()
      if let failure { throw failure }
      return try Credentials("Bearer 2")
    }
  }

  private static let origins = ["api.switchyard.test"]

  private static func chain(
    _ scheme: some AuthorizationScheme, over server: ScriptedDispatcher, for origins: [String] = origins
  ) throws -> any Dispatcher {
    server.intercepted(by: try AuthorizationInterceptor(scheme, for: origins))
  }

  private static func request(
    _ authority: String = "api.switchyard.test", scheme: String = "https", body: RequestBody = .empty
  ) -> Request {
    Request(method: .post, scheme: scheme, authority: authority, path: "/houses?x=1", body: body)
  }

  private static func values(_ server: ScriptedDispatcher) -> [String?] {
    server.requests.map { $0.head.headerFields[.authorization] }
  }

  @Test("The interceptor satisfies the laws, with each scheme")
  func laws() async throws {
    func check(_ scheme: some AuthorizationScheme, for origins: [String] = Self.origins) async throws {
      let interceptor = try AuthorizationInterceptor(scheme, for: origins)
      let report = await checkInterceptorLaws(interceptor)
      try report.check()
      #expect(Array(report.unproven.keys) == [.callsNextAsDeclared])
    }
    let token = try AccessToken("a")
    try await check(BearerAuthorization(token))
    try await check(BearerAuthorization(from: TestTokens(), starting: token))
    try await check(BasicAuthorization(user: "u", password: "p"))
    try await check(DigestAuthorization(user: "u", password: "p"))
    try await check(Renewing())
    try await check(Renewing(), for: ["other.switchyard.test"])
  }

  @Test("It is an inner stage of redirects and retry, and an outer one of signing; several are allowed")
  func stage() throws {
    let interceptor = try AuthorizationInterceptor(Renewing(), for: Self.origins)
    #expect(interceptor.traits.stage == .authorization)
    #expect(interceptor.traits.stage > .retry && interceptor.traits.stage < .signing)
    let other = try AuthorizationInterceptor(Renewing(), for: ["other.switchyard.test"])
    let pipeline = try Pipeline(over: ScriptedDispatcher()) {
      interceptor
      other
    }
    #expect(pipeline.names.count == 2)
  }

  @Test("A redirect to another origin gets no credentials, nor does a downgrade to http")
  func otherOrigin() async throws {
    let server = ScriptedDispatcher { request, number throws(NetworkError) in
      let targets = ["https://evil.test/", "http://api.switchyard.test/", "https://api.switchyard.test/end"]
      guard number <= 3 else { return Response(status: .ok) }
      return Response(status: .found, headerFields: [.location: targets[number - 1]])
    }
    let following = InlineInterceptor("Following", stage: .redirects) { request, next in
      var request = request
      while true {
        let response = try await next.dispatch(request)
        guard let location = response.head.headerFields[.location] else { return response }
        let parts = location.split(separator: "/")
        request.head.scheme = String(parts[0].dropLast())
        request.head.authority = String(parts[1])
      }
    }
    let authorization = try AuthorizationInterceptor(Renewing(), for: Self.origins)
    let pipeline = try Pipeline(over: server) {
      following
      authorization
    }
    _ = try await pipeline.send(Self.request())
    #expect(Self.values(server) == ["Bearer 1", nil, nil, "Bearer 1"])
  }

  @Test("A request with an Authorization field or without credentials is left alone, and so is its response")
  func leftAlone() async throws {
    let server = ScriptedDispatcher(answering: Response(status: .unauthorized))
    let chain = try Self.chain(Renewing(), over: server)
    var own = Self.request()
    own.head.headerFields[.authorization] = "Basic own"
    #expect(try await chain.dispatch(own).status == .unauthorized)
    var login = Self.request()
    login.context.sendsCredentials = false
    #expect(try await chain.dispatch(login).status == .unauthorized)
    #expect(Self.values(server) == ["Basic own", nil])
  }

  @Test("Credentials of another field are added, unless the request has that field")
  func otherField() async throws {
    struct Key: AuthorizationScheme {
      let key: Credentials
      func credentials(for request: Request) async throws -> Credentials? { key }
    }
    let name = try #require(HTTPField.Name("X-Estate-Key"))
    let server = ScriptedDispatcher()
    let chain = try Self.chain(Key(key: try Credentials("k1", in: name)), over: server)
    _ = try await chain.dispatch(Self.request())
    var own = Self.request()
    own.head.headerFields[name] = "own"
    _ = try await chain.dispatch(own)
    #expect(server.requests.map { $0.head.headerFields[values: name] } == [["k1"], ["own"]])
  }

  @Test("A refused request is sent again once with the same body, in the same attempt")
  func replayedOnce() async throws {
    let server = ScriptedDispatcher(answering: Response(status: .unauthorized))
    let chain = try Self.chain(Renewing(), over: server)
    let request = Self.request(body: .text("kept")).asAttempt(2)
    let response = try await chain.dispatch(request)
    #expect(response.status == .unauthorized)
    #expect(Self.values(server) == ["Bearer 1", "Bearer 2"])
    #expect(server.requests.map(\.body.bytes) == [Array("kept".utf8), Array("kept".utf8)])
    #expect(server.requests.map(\.attempt) == [2, 2])
    #expect(server.requests.map(\.id) == [request.id, request.id])
  }

  @Test("The refusal of a body that can be read only once is returned")
  func spentBody() async throws {
    let server = ScriptedDispatcher(answering: Response(status: .unauthorized))
    let chain = try Self.chain(Renewing(), over: server)
    let body = RequestBody.once(length: 1, ScriptedByteSource([[1]]))
    #expect(try await chain.dispatch(Self.request(body: body)).status == .unauthorized)
    #expect(Self.values(server) == ["Bearer 1"])
  }

  @Test("The refused response is released before the credentials are renewed")
  func releasedFirst() async throws {
    let refused = ScriptedByteSource([[1], [2]])
    // The only reference to the response is the one that the script hands over.
    let responses = Mutex([
      Response(HTTPResponse(status: .unauthorized), body: .stream(BodyStream(length: 2, refused))),
      Response(status: .ok),
    ])
    let server = ScriptedDispatcher { _, _ throws(NetworkError) in responses.withLock { $0.removeFirst() } }
    let wasReleased = Mutex(false)
    let scheme = Renewing(onRenewal: { wasReleased.withLock { $0 = refused.isCancelled } })
    let response = try await Self.chain(scheme, over: server).dispatch(Self.request())
    #expect(response.status == .ok)
    #expect(wasReleased.withLock { $0 })
  }

  @Test("Another test of a response replaces that of the status")
  func otherRefusal() async throws {
    let server = ScriptedDispatcher { _, number throws(NetworkError) in
      Response(status: number == 1 ? .forbidden : .unauthorized, bytes: Array("expired".utf8))
    }
    let interceptor = try AuthorizationInterceptor(
      Renewing(), for: Self.origins, isRefusal: { $0.status == .forbidden })
    let response = try await server.intercepted(by: interceptor).dispatch(Self.request())
    #expect(response.status == .unauthorized)
    #expect(Self.values(server) == ["Bearer 1", "Bearer 2"])
  }

  @Test("An error of the scheme has the kind that an app expects, and its text isn't quoted if it is foreign")
  func failures() async throws {
    struct Foreign: Error, CustomStringConvertible { let description = "hunter2" }
    let cases: [(any Error & Sendable, NetworkError.Kind)] = [
      (AuthorizationError(.needsLogin), .needsLogin), (AuthorizationError(.noRefreshToken), .needsLogin),
      (AuthorizationError(.refreshTimedOut(limit: .seconds(30))), .timeout(.whole)),
      (AuthorizationError(.grantRefused(.invalidClient)), .rejected), (Foreign(), .rejected),
      (NetworkError(.offline, "No network."), .offline), (CancellationError(), .cancelled(.task)),
    ]
    for (failure, kind) in cases {
      let server = ScriptedDispatcher(answering: Response(status: .unauthorized))
      let authorization = try AuthorizationInterceptor(Renewing(failure: failure), for: Self.origins)
      let pipeline = try Pipeline(over: server) { authorization }
      let error = await #expect(throws: NetworkError.self) { try await pipeline.send(Self.request()) }
      #expect(error?.kind == kind)
      #expect(error?.origin == .interceptor("AuthorizationInterceptor"))
      #expect(error?.requestMayHaveBeenProcessed == true)
      #expect(error?.description.contains("hunter2") == false)
      if failure is AuthorizationError {
        #expect(error?.underlying(as: AuthorizationError.self) == failure as? AuthorizationError)
      }
    }
  }

  /// Calls a closure behind the stage of authorization, and may respond by itself, so that credentials are
  /// added behind it.
  private struct Between: Interceptor {
    let traits = InterceptorTraits(stage: .caching, callsNext: .atMostOnce)
    let act: @Sendable () throws -> Void

    func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
      try act()
      return try await next.dispatch(request)
    }
  }

  /// A bearer token behind a scheme of the app's own, whose credentials are always obtained with a
  /// suspension.
  private struct Wrapped: AuthorizationScheme {
    let base: BearerAuthorization

    func identity(for request: Request) -> Request.Identity? { base.identity(for: request) }

    func credentials(for request: Request) async throws -> Credentials? {
      try await base.credentials(for: request)
    }
  }

  /// What happens to the login while a request is on its way to its departure.
  private enum Change: String, CaseIterable {
    case none, otherAccount, otherLogin, sameAccount, logout
  }

  @Test(
    "A request leaves with the token of its own login only, also if that is read without a suspension",
    arguments: Change.allCases.map(\.rawValue), [true, false])
  func loginAtDeparture(change: String, isImmediate: Bool) async throws {
    let change = try #require(Change(rawValue: change))
    let member = BearerAuthorization(
      try AccessToken("old"), account: change == .otherLogin ? nil : "ann")
    let server = ScriptedDispatcher()
    let authorization =
      isImmediate
      ? try AuthorizationInterceptor(member, for: Self.origins)
      : try AuthorizationInterceptor(Wrapped(base: member), for: Self.origins)
    let chain = try Pipeline(over: server) {
      authorization
      Between {
        switch change {
        case .none: break
        case .otherAccount: member.replaceToken(with: try AccessToken("new"), account: "bob")
        case .otherLogin: member.replaceToken(with: try AccessToken("new"))
        case .sameAccount: member.replaceToken(with: try AccessToken("new"), account: "ann")
        case .logout: member.replaceToken(with: nil)
        }
      }
    }
    let result: Result<Response, NetworkError>
    do throws(NetworkError) { result = .success(try await chain.send(Self.request())) } catch {
      result = .failure(error)
    }
    switch change {
    case .none: #expect(Self.values(server) == ["Bearer old"])
    case .sameAccount: #expect(Self.values(server) == ["Bearer new"])
    case .otherAccount, .otherLogin:
      guard case .failure(let error) = result else {
        Issue.record("The request was sent.")
        return
      }
      #expect(
        error.underlying(as: AuthorizationError.self) == .tokenReplaced && error.preventedDeparture)
      #expect(server.requests.isEmpty)
    case .logout:
      guard case .failure(let error) = result else {
        Issue.record("The request was sent.")
        return
      }
      #expect(error.preventedDeparture && server.requests.isEmpty)
    }
  }
}
