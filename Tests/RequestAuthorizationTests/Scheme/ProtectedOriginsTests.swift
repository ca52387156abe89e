import HTTPTypes
import Testing

@testable import RequestAuthorization

@Suite struct ProtectedOriginsTests {
  private func head(_ scheme: String, _ authority: String) -> HTTPRequest {
    HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/")
  }

  @Test(
    "Scheme, host and port must be equal, apart from case and the default port",
    arguments: [
      ("https", "api.example.com", true), ("https", "API.Example.com", true),
      ("https", "api.example.com:443", true), ("https", "api.example.com:8443", false),
      ("https", "api.example.com:80", false), ("http", "api.example.com", false),
      ("HTTP", "api.example.com", false), ("https", "www.api.example.com", false),
      ("https", "example.com", false), ("https", "api.example.com.evil.test", false),
      ("https", "api.example.com.", true), ("https", "api.example.com..", false),
      ("https", "api.example.com@evil.test", false),
      ("https", "user@api.example.com", false), ("https", "api.example.com:", false),
      ("https", "", false), ("https", "files.example.com:8443", true), ("https", "files.example.com", false),
      ("http", "192.0.2.7", true), ("http", "192.0.2.7:80", true), ("https", "192.0.2.7", false),
      ("http", "192.0.2.7:8080", false), ("https", "[2001:db8::1]:9443", true),
      ("https", "[2001:DB8::1]:9443", true), ("https", "[2001:db8::1]", false), ("ftp", "192.0.2.7", false),
    ])
  func matching(_ scheme: String, _ authority: String, _ isInside: Bool) throws {
    let origins = try ProtectedOrigins([
      "api.example.com", "https://Files.example.com:8443", "http://192.0.2.7:80", "[2001:db8::1]:9443",
    ])
    #expect(origins.contain(head(scheme, authority)) == isInside)
  }

  @Test(
    "A text that is not an origin is refused",
    arguments: [
      "", "*.example.com", "https://example.com/", "example.com/path", "user@example.com",
      "ftp://example.com",
      "example.com:0", "example.com:65536", "exa mple.com", "127.1", "[::1", "[not an address]",
      "http://", "https://https://example.com", "example.com\r\nX: y",
    ])
  func malformed(_ text: String) {
    #expect(throws: AuthorizationIssue(faults: [.malformedOrigin(text)])) { try ProtectedOrigins([text]) }
  }

  @Test("All faults are reported at once, each with its remedy")
  func faults() {
    let issue = #expect(throws: AuthorizationIssue.self) { try ProtectedOrigins(["a b", "good", "*"]) }
    #expect(issue?.faults == [.malformedOrigin("a b"), .malformedOrigin("*")])
    #expect(issue?.description.split(separator: "\n").count == 2)
    #expect(throws: AuthorizationIssue(faults: [.noOrigin])) { try ProtectedOrigins([]) }
  }
}
