import HTTPTypes
import Interception
import Testing

@testable import RedirectFollowing

private enum TenantKey: ContextKey { static let defaultValue = "" }
private enum AttemptKey: AttemptContextKey {
  static let defaultValue = 0
}

@Suite struct RedirectHopTests {
  private static func request() throws -> Request {
    var request = Request(
      method: .post, authority: "a.example", path: "/x",
      headerFields: [
        .authorization: "Bearer secret", .cookie: "a=secret", .proxyAuthorization: "Basic secret",
        .accept: "text/html", .contentType: "application/json", .contentLength: "2", .contentEncoding: "gzip",
        .userAgent: "Estate/1", .referer: "https://a.example/private", .expect: "100-continue",
      ], body: .text("{}"))
    let names = ["Host", "X-API-Key", "Content-Digest", "Repr-Digest", "Digest", "Content-MD5"]
    for name in names { request.head.headerFields[try #require(HTTPField.Name(name))] = "1" }
    request.context.api = APIIdentity(service: "estate", name: "houses.add")
    request.context.partition = "north"
    request.context.connectTarget = ConnectTarget(address: "192.0.2.1")
    request.context.http3RecordPort = 443
    request.context[TenantKey.self] = "tenant"
    request.context[AttemptKey.self] = 3
    return request
  }

  private static func hop(
    _ url: String, method: HTTPRequest.Method = .post, keepsBody: Bool, crossesOrigin: Bool,
    isDowngrade: Bool = false
  ) throws -> RedirectHop {
    RedirectHop(
      method: method, target: try RedirectTarget(URIReference(url)), keepsBody: keepsBody,
      crossesOrigin: crossesOrigin, isDowngrade: isDowngrade)
  }

  @Test("Within an origin everything is kept but the URL and the values of the attempt")
  func sameOrigin() throws {
    let request = try Self.request()
    let next = try Self.hop("https://a.example/y?z#f", keepsBody: true, crossesOrigin: false)
      .applied(to: request)
    #expect(next.head.path == "/y?z")
    #expect(next.head.headerFields == request.head.headerFields)
    #expect(next.body.bytes == Array("{}".utf8))
    #expect(next.id == request.id)
    #expect(next.attempt == request.attempt)
    #expect(next.context.api == request.context.api)
    #expect(next.context.connectTarget == request.context.connectTarget)
    #expect(next.context[TenantKey.self] == "tenant")
    #expect(next.context[AttemptKey.self] == 0)
    #expect(!next.context.hasLeftOrigin)
  }

  @Test("Across origins credentials, Host, API, connect target and the rest of Referer are dropped for good")
  func otherOrigin() throws {
    var next = try Self.hop("http://b.example:8080/y", keepsBody: true, crossesOrigin: true)
      .applied(to: try Self.request())
    #expect(next.head.scheme == "http")
    #expect(next.head.authority == "b.example:8080")
    next = try Self.hop("https://a.example/z", keepsBody: true, crossesOrigin: true).applied(to: next)
    #expect(next.head.authority == "a.example")
    let dropped = ["Authorization", "Cookie", "Proxy-Authorization", "Host", "X-API-Key"]
    for name in dropped {
      #expect(next.head.headerFields[try #require(HTTPField.Name(name))] == nil, "\(name)")
    }
    #expect(next.head.headerFields[.accept] == "text/html")
    #expect(next.head.headerFields[.contentType] == "application/json")
    #expect(next.head.headerFields[.referer] == "https://a.example/")
    #expect(next.body.bytes == Array("{}".utf8))
    #expect(next.context.api == nil)
    #expect(next.context.connectTarget == nil && next.context.http3RecordPort == nil)
    #expect(next.context.partition == "north")
    #expect(next.context.hasLeftOrigin)
  }

  @Test(
    "Another origin learns the origin of Referer only",
    arguments: [
      ("https://a.example/private?token=1", "https://a.example/"),
      ("https://ann:pw@a.example:8443/x#y", "https://a.example:8443/"),
      ("http://a.example", "http://a.example/"), ("/private", nil), ("about:x", nil), ("https://", nil),
    ] as [(String, String?)])
  func referer(text: String, shown: String?) throws {
    var request = try Self.request()
    request.head.headerFields[.referer] = text
    let next = try Self.hop("https://b.example/", keepsBody: true, crossesOrigin: true).applied(to: request)
    #expect(next.head.headerFields[.referer] == shown)
  }

  @Test("Across origins trailers lose the credentials among them, and are dropped if nothing is left")
  func trailers() async throws {
    let key = try #require(HTTPField.Name("X-API-Key"))
    var request = try Self.request()
    request.trailers = RequestTrailers([.eTag, key]) { [.eTag: "\"1\"", key: "secret"] }
    let hop = try Self.hop("https://b.example/", keepsBody: true, crossesOrigin: true)
    let trailers = try #require(hop.applied(to: request).trailers)
    #expect(trailers.names == [.eTag])
    #expect(try await trailers.fields() == [.eTag: "\"1\""])
    request.trailers = RequestTrailers([key]) { [key: "secret"] }
    #expect(hop.applied(to: request).trailers == nil)
    let within = try Self.hop("https://a.example/", keepsBody: true, crossesOrigin: false)
    #expect(within.applied(to: request).trailers?.names == [key])
  }

  @Test("Without the body, the fields that describe it are dropped; others are kept")
  func withoutBody() throws {
    let next = try Self.hop("https://a.example/y", method: .get, keepsBody: false, crossesOrigin: false)
      .applied(to: try Self.request())
    #expect(next.head.method == .get)
    #expect(next.body.isEmpty && next.body.bytes == [])
    #expect(
      Set(next.head.headerFields.map(\.name.canonicalName)) == [
        "authorization", "cookie", "proxy-authorization", "accept", "user-agent", "referer", "host",
        "x-api-key",
      ])
  }

  @Test("A downgrade drops Referer")
  func downgrade() throws {
    let next = try Self.hop("http://a.example/y", keepsBody: true, crossesOrigin: true, isDowngrade: true)
      .applied(to: try Self.request())
    #expect(next.head.headerFields[.referer] == nil)
  }
}
