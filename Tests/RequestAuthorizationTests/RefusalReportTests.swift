import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import RequestAuthorization

/// What a refusal says about the credentials of its request, for each reason why it may have had none.
@Suite("The report of a refusal", .timeLimit(.minutes(5)))
struct RefusalReportTests {
  /// A scheme with or without credentials that can be renewed.
  private struct Scheme: AuthorizationScheme {
    var value: String? = "Bearer 1"
    var field = HTTPField.Name.authorization
    var canRenew = false

    func credentials(for request: Request) async throws -> Credentials? {
      try value.map { value throws(AuthorizationError) in try Credentials(value, in: field) }
    }

    func canRenewCredentials(for request: Request, after refusal: Refusal) -> Bool { canRenew }

    func renewedCredentials(for request: Request, after refusal: Refusal) async throws -> Credentials {
      try Credentials("Bearer 2")
    }
  }

  private static func use(
    _ request: Request, _ scheme: Scheme = Scheme(), status: HTTPResponse.Status = .unauthorized
  ) async throws -> Exchange.CredentialUse? {
    let chain = ScriptedDispatcher(answering: Response(status: status)).intercepted(
      by: try AuthorizationInterceptor(scheme, for: ["api.switchyard.test"]))
    return try await chain.dispatch(request).exchange.credentialUse
  }

  private static func request(_ url: String = "https://api.switchyard.test/a") throws -> Request {
    try Request(url)
  }

  @Test(
    "An origin that isn't listed is named as it would be listed",
    arguments: [
      ("https://other.test/a", "\"https://other.test\"", "add \"other.test\" to"),
      ("https://other.test:8443/a", "\"https://other.test:8443\"", "add \"other.test:8443\" to"),
      ("http://127.0.0.1:8080/a", "\"http://127.0.0.1:8080\"", "add \"http://127.0.0.1:8080\" to"),
      (
        "http://api.switchyard.test/a", "\"http://api.switchyard.test\"",
        "add \"http://api.switchyard.test\" to"
      ),
      (
        "https://api.switchyard.test:444/a", "\"https://api.switchyard.test:444\"",
        "\"api.switchyard.test:444\" to"
      ),
    ])
  func unlisted(url: String, origin: String, remedy: String) async throws {
    for status in [HTTPResponse.Status.unauthorized, .forbidden] {
      guard case .notSent(let text)? = try await Self.use(try Self.request(url), status: status) else {
        Issue.record("The refusal with \(status) is not reported.")
        continue
      }
      #expect(text.contains("its origin \(origin) is not listed") && text.contains(remedy))
    }
  }

  @Test("What was listed is accepted by the interceptor as the text names it")
  func listedAsNamed() async throws {
    for url in ["https://other.test:8443/a", "http://127.0.0.1:8080/a", "http://[::1]:8080/a"] {
      let text = try #require(try await Self.use(try Self.request(url))?.remedy)
      let listed = try #require(text.split(separator: "add \"").last?.split(separator: "\"").first)
      let interceptor = try AuthorizationInterceptor(Scheme(), for: [String(listed)])
      let server = ScriptedDispatcher()
      _ = try await server.intercepted(by: interceptor).dispatch(try Self.request(url))
      #expect(server.requests.first?.head.headerFields[.authorization] == "Bearer 1")
    }
  }

  @Test("A redirect to another origin, a field of the request's own and sendsCredentials are named")
  func unsent() async throws {
    var left = try Self.request()
    left.context.hasLeftOrigin = true
    #expect(try await Self.use(left)?.remedy?.contains("a redirect led it to another origin") == true)

    var own = try Self.request()
    own.head.headerFields[.authorization] = "Bearer own"
    let ownRemedy = try #require(try await Self.use(own)?.remedy)
    #expect(ownRemedy.contains("has a field Authorization of its own") && !ownRemedy.contains("Bearer"))
    #expect(try await Self.use(own, status: .forbidden)?.remedy == nil)

    var without = try Self.request()
    without.context.sendsCredentials = false
    #expect(try await Self.use(without)?.remedy?.contains("sendsCredentials of its context is false") == true)
  }

  @Test("A scheme without credentials, a field that the request has, and a body that is read once are named")
  func scheme() async throws {
    let none = try await Self.use(try Self.request(), Scheme(value: nil))
    #expect(none?.remedy?.contains("because Scheme had none for it") == true)

    var own = try Self.request()
    own.head.headerFields[.userAgent] = "own"
    let field = try await Self.use(own, Scheme(field: .userAgent))
    #expect(field?.remedy?.contains("has a field User-Agent of its own") == true)

    var once = try Self.request()
    once.head.method = .post
    once.body = .once(length: 1, BufferedByteSource([1]))
    let unrepeated = try await Self.use(once, Scheme(canRenew: true))
    #expect(unrepeated?.remedy?.contains("can be read only once") == true)
  }

  @Test("A second refusal says that the renewed credentials are refused, too")
  func secondRefusal() async throws {
    let use = try await Self.use(try Self.request(), Scheme(canRenew: true))
    #expect(use?.remedy?.contains("refuses the renewed credentials, too") == true)
  }

  @Test("Credentials that were sent and refused have no remedy but the usual one")
  func sent() async throws {
    #expect(try await Self.use(try Self.request()) == .sent(remedy: nil))
    #expect(try await Self.use(try Self.request(), status: .forbidden) == .sent(remedy: nil))
  }

  @Test("A response that refuses nothing has no report", arguments: [200, 304, 404, 500])
  func accepted(code: Int) async throws {
    #expect(try await Self.use(try Self.request(), status: HTTPResponse.Status(code: code)) == nil)
    #expect(
      try await Self.use(try Self.request("https://other.test/"), status: HTTPResponse.Status(code: code))
        == nil)
  }

  @Test("Of several interceptors the one that sent credentials reports", arguments: [true, false])
  func several(listedFirst: Bool) async throws {
    let listed = try AuthorizationInterceptor(Scheme(), for: ["api.switchyard.test"])
    let other = try AuthorizationInterceptor(Scheme(), for: ["other.test"])
    let pipeline = try Pipeline(over: ScriptedDispatcher(answering: Response(status: .unauthorized))) {
      if listedFirst { listed }
      other
      if !listedFirst { listed }
    }
    #expect(try await pipeline.send(try Self.request()).exchange.credentialUse == .sent(remedy: nil))
  }
}
