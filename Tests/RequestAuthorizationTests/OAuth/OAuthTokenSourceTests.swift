import Cryptography
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import RequestAuthorization

@Suite(.timeLimit(.minutes(5))) struct OAuthTokenSourceTests {
  private static let granted = Response(
    status: .ok, bytes: Array(#"{"access_token":"new","token_type":"Bearer","expires_in":60}"#.utf8))
  private static let url = "https://login.switchyard.test/oauth/token?tenant=1"

  private static func source(
    _ client: OAuthClient = OAuthClient(id: "app", secret: "s3cret"),
    grant: OAuthTokenSource.Grant = .clientCredentials, scope: String? = nil, over server: ScriptedDispatcher
  ) throws -> OAuthTokenSource {
    try OAuthTokenSource(url, client: client, grant: grant, scope: scope, over: server)
  }

  private static func form(_ request: Request?) -> String {
    String(decoding: request?.body.bytes ?? [], as: UTF8.self)
  }

  @Test("Client credentials are sent by the Basic scheme, with the scope in the form")
  func clientCredentials() async throws {
    let server = ScriptedDispatcher(answering: Self.granted)
    let token = try await Self.source(scope: "read write", over: server).token(replacing: nil)
    #expect(token.value == "new" && token.expiry != nil && token.refreshToken == nil)
    let request = try #require(server.requests.first)
    #expect(request.head.method == .post)
    #expect(request.head.scheme == "https" && request.head.authority == "login.switchyard.test")
    #expect(request.head.path == "/oauth/token?tenant=1")
    #expect(request.head.headerFields[.authorization] == "Basic YXBwOnMzY3JldA==")
    #expect(request.head.headerFields[.contentType] == "application/x-www-form-urlencoded")
    #expect(request.head.headerFields[.accept] == "application/json")
    #expect(Self.form(request) == "grant_type=client_credentials&scope=read+write")
    #expect(request.options.timeouts.whole == .seconds(20))
    #expect(request.options.delivery == .buffered(upTo: 64 << 10))
    #expect(!request.context.sendsCredentials && request.context.redirects == .manual)
  }

  @Test(
    "Id and secret are encoded as in a form, in the field and in the body; a public client has only an id")
  func clientAuthentication() async throws {
    let server = ScriptedDispatcher(answering: Self.granted)
    for client in [
      OAuthClient(id: "a:b", secret: "p +é"), OAuthClient(id: "a:b", secret: "p +é", sendsSecretInForm: true),
      OAuthClient(id: "a:b"),
    ] {
      _ = try await Self.source(client, over: server).token(replacing: nil)
    }
    #expect(
      server.requests.map { $0.head.headerFields[.authorization] } == [
        "Basic " + Base64.encode(Array("a%3Ab:p+%2B%C3%A9".utf8)), nil, nil,
      ])
    #expect(
      server.requests.map(Self.form) == [
        "grant_type=client_credentials",
        "grant_type=client_credentials&client_id=a%3Ab&client_secret=p+%2B%C3%A9",
        "grant_type=client_credentials&client_id=a%3Ab",
      ])
  }

  @Test("Without a refresh token a 401 fails with that reason, also later, and the endpoint isn't asked")
  func noRefreshToken() async throws {
    let endpoint = ScriptedDispatcher(answering: Self.granted)
    let source = try Self.source(grant: .refreshToken, over: endpoint)
    let member = BearerAuthorization(from: source, starting: try AccessToken("t1"))
    let server = ScriptedDispatcher(answering: Response(status: .unauthorized))
    let authorization = try AuthorizationInterceptor(member, for: ["api.switchyard.test"])
    let chain = try Pipeline(over: server) { authorization }
    for _ in 1...2 {
      let error = await #expect(throws: NetworkError.self) {
        try await chain.send(Request(authority: "api.switchyard.test", path: "/"))
      }
      #expect(error?.kind == .needsLogin)
      #expect(error?.underlying(as: AuthorizationError.self)?.reason == .noRefreshToken)
      #expect(error?.reason.contains("has no refresh token") == true)
    }
    #expect(server.requests.count == 1)
    #expect(endpoint.requests.isEmpty)
  }

  @Test("A refresh token is sent and kept; without one, or if it is refused, a login is needed")
  func refreshToken() async throws {
    let server = ScriptedDispatcher { _, number throws(NetworkError) in
      number == 1
        ? Self.granted : Response(status: .badRequest, bytes: Array(#"{"error":"invalid_grant"}"#.utf8))
    }
    let source = try Self.source(grant: .refreshToken, over: server)
    let token = try await source.token(replacing: AccessToken("old", refreshToken: "r/1"))
    #expect(token.refreshToken == "r/1")
    #expect(Self.form(server.requests.first) == "grant_type=refresh_token&refresh_token=r%2F1")
    await #expect(throws: AuthorizationError(.needsLogin)) { try await source.token(replacing: token) }
    await #expect(throws: AuthorizationError(.noRefreshToken)) {
      try await source.token(replacing: AccessToken("old"))
    }
    await #expect(throws: AuthorizationError(.needsLogin)) { try await source.token(replacing: nil) }
    #expect(server.requests.count == 2)
    // For another grant the code concerns the client, and no login helps.
    await #expect(throws: AuthorizationError(.grantRefused(.invalidGrant))) {
      try await Self.source(over: server).token(replacing: nil)
    }
  }

  @Test(
    "A huge response is refused, also from a dispatcher that ignores the limit, and an error is passed on")
  func failures() async throws {
    let huge = ScriptedByteSource(Array(repeating: [UInt8](repeating: 0x20, count: 16 << 10), count: 1_000))
    let server = ScriptedDispatcher { _, number throws(NetworkError) in
      switch number {
      case 1: return Response(HTTPResponse(status: .ok), body: .stream(BodyStream(length: nil, huge)))
      case 2: throw .bodyTooLarge(limit: 64 << 10)
      default: throw NetworkError(.connect, "Refused.")
      }
    }
    let source = try Self.source(over: server)
    await #expect(throws: AuthorizationError(.malformedTokenResponse("it has more than 65536 bytes"))) {
      try await source.token(replacing: nil)
    }
    #expect(huge.isCancelled && huge.reads <= 5)
    await #expect(throws: AuthorizationError(.malformedTokenResponse("it has more than 65536 bytes"))) {
      try await source.token(replacing: nil)
    }
    let error = await #expect(throws: NetworkError.self) { try await source.token(replacing: nil) }
    #expect(error?.kind == .connect)
  }

  @Test(
    "A token endpoint behind the same pipeline is called without credentials, and no request waits for itself"
  )
  func samePipeline() async throws {
    let server = ScriptedDispatcher { request, _ throws(NetworkError) in
      if request.head.path == "/token" { return Self.granted }
      return Response(
        status: request.head.headerFields[.authorization] == "Bearer new" ? .ok : .unauthorized)
    }
    final class Late: Dispatcher {
      let target = WaitableValue<Pipeline?>(nil)
      func dispatch(_ request: Request) async throws(NetworkError) -> Response {
        guard let pipeline = target.value else { throw NetworkError(.rejected, "No pipeline.") }
        return try await pipeline.dispatch(request)
      }
    }
    let late = Late()
    let source = try OAuthTokenSource(
      "https://api.switchyard.test/token", client: OAuthClient(id: "app"), grant: .clientCredentials,
      over: late)
    let member = BearerAuthorization(from: source, starting: try AccessToken("old"))
    let chain = try member.chain(over: server)
    late.target.update { $0 = chain }
    #expect(try await chain.send(.member()).status == .ok)
    #expect(server.requests.map(\.head.path) == ["/0", "/token", "/0"])
    #expect(server.requests[1].head.headerFields[.authorization] == nil)
    late.target.update { $0 = nil }
  }

  @Test(
    "The URL of the endpoint is checked",
    arguments: [
      "", "login.example.com/token", "ftp://a.example/", "https://", "https:///token", "https://a b/",
      "https://user@a.example/token", "https://a.example/token#x", "https://a.example/to ken",
      "https://127.1/t",
    ])
  func malformedURL(_ url: String) {
    #expect(throws: AuthorizationError.self) {
      try OAuthTokenSource(
        url, client: OAuthClient(id: "a"), grant: .clientCredentials, over: ScriptedDispatcher())
    }
  }

  @Test("Paths and ports of the endpoint's URL are kept")
  func endpoints() throws {
    let endpoint = try #require(TokenEndpoint("http://127.0.0.1:8080"))
    #expect(
      [endpoint.scheme, endpoint.authority, endpoint.path] == ["http", "127.0.0.1:8080", "/"])
    #expect(TokenEndpoint("https://a.example?x=1")?.path == "/?x=1")
    #expect(TokenEndpoint("https://[::1]:1/t/?x=/")?.path == "/t/?x=/")
  }
}
