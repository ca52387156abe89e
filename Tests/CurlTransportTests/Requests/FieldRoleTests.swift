import Testing

@testable import CurlTransport

@Suite("The role of a header field")
struct FieldRoleTests {
  static let roles: [(String, FieldRole)] = [
    ("host", .host), ("content-length", .contentLength), ("proxy-authorization", .proxyAuthorization),
    ("accept-encoding", .acceptEncoding), ("accept", .accept), ("user-agent", .userAgent),
    ("transfer-encoding", .connection), ("expect", .connection), ("connection", .connection),
    ("upgrade", .connection), ("keep-alive", .connection), ("proxy-connection", .connection),
    ("http2-settings", .connection), ("cookie", .cookie),
  ]

  @Test("Every field that concerns the dispatcher has its role", arguments: roles)
  func known(name: String, role: FieldRole) { #expect(FieldRole(ofFieldNamed: name) == role) }

  @Test(
    "Any other field is ordinary, however similar its name",
    arguments: [
      "", "a", "accept-", "accept-language", "authorization", "content-type", "content-lengt", "connections",
      "cookie2", "cookif", "connectiom", "content-lengti", "expected", "expires", "hosts", "http2-setting",
      "keep", "origin", "pragma", "proxy",
      "proxy-connectio", "te", "traceparent", "trailer", "upgrade-insecure-requests", "user", "via",
      "switchyard-signature", "Host",
    ])
  func ordinary(name: String) { #expect(FieldRole(ofFieldNamed: name) == .ordinary) }
}
