import HTTPTypes
import Interception
import Testing

@testable import RedirectFollowing

@Suite struct RedirectTargetTests {
  private static func target(_ text: String) throws -> RedirectTarget {
    try RedirectTarget(URIReference(text))
  }

  @Test(
    "Scheme and host are lower-cased; a default or empty port, and a missing path, are normalized",
    arguments: [
      ("HTTPS://Estate.Example:443", "https://estate.example/"), ("http://a:80/x", "http://a/x"),
      ("https://a:80/", "https://a:80/"), ("http://a:/?q#f", "http://a/?q#f"),
      ("http://[0:0::1]:8080/", "http://[::1]:8080/"), ("http://192.0.2.1/", "http://192.0.2.1/"),
      ("http://a_b.example./", "http://a_b.example./"),
      ("http://[FE80:0::1%25eth0]:8080/", "http://[fe80::1%25eth0]:8080/"),
    ])
  func normalized(_ text: String, url: String) throws {
    #expect(try Self.target(text).url == url)
  }

  @Test(
    "An authority that parsers interpret differently, or that holds credentials, is refused",
    arguments: [
      "http://user@host/", "http://:pass@host/", "http:///path", "http:path", "http://127.1/",
      "http://0x7f000001/",
      "http://1.2.3.4./", "http://b\u{FC}cher.example/", "http://%61.example/", "http://a:0/",
      "http://a:080/",
      "http://a:65536/", "http://a:b/", "http://[1::2]:3:4/", "http://[::1/", "http://[v1.a]/", "http://a[/",
      "http://[::1]x/",
      "http://" + String(repeating: "a", count: 256) + "/",
    ])
  func refusedAuthorities(_ text: String) throws {
    let fault = #expect(throws: RedirectTarget.Fault.self) { try Self.target(text) }
    guard case .authority = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
  }

  @Test(
    "Other schemes than http and https are refused",
    arguments: [
      ("javascript:alert(1)", "javascript"), ("data:text/html,x", "data"), ("file:///etc/passwd", "file"),
      ("estate://home/42", "estate"), ("JavaScript:x", "javascript"), ("ftp://a/", "ftp"),
    ])
  func refusedSchemes(_ text: String, scheme: String) {
    #expect(throws: RedirectTarget.Fault.scheme(scheme)) { try Self.target(text) }
  }

  @Test("Two targets have the same origin if scheme, host and port are equal, in any form")
  func origins() throws {
    let base = try Self.target("https://a.example/x")
    for same in ["https://A.Example:443/y?z", "https://a.example:/"] {
      #expect(try Self.target(same).hasOrigin(of: base))
    }
    for other in [
      "http://a.example/x", "https://a.example:8443/x", "https://b.a.example/", "https://a.example./",
    ] {
      #expect(try !Self.target(other).hasOrigin(of: base))
    }
  }

  @Test(
    "Special-purpose addresses and localhost are private",
    arguments: [
      ("127.0.0.1", true), ("10.1.2.3", true), ("169.254.169.254", true), ("0.0.0.0", true), ("[::1]", true),
      ("[::ffff:192.168.0.1]", true), ("[fe80::1]", true), ("localhost", true), ("app.localhost.", true),
      ("LOCALHOST", true), ("192.0.2.1", true), ("198.18.0.1", true),
      ("[64:ff9b::a00:1]", true), ("[64:ff9b:1::808:808]", true), ("[2001:db8::1]", true), ("[100::1]", true),
      ("192.0.0.9", false), ("192.0.3.1", false), ("[2001:db9::1]", false), ("[2002:808:808::]", false),
      ("localhost.example", false),
      ("notlocalhost", false),
    ])
  func privateHosts(_ host: String, isPrivate: Bool) throws {
    #expect(try Self.target("http://\(host)/").isPrivate == isPrivate)
  }

  @Test("A request's target is normalized in the same way; a request without a path has none")
  func requests() throws {
    let head = HTTPRequest(method: .get, scheme: "HTTP", authority: "A.example:80", path: "/x?y#z")
    #expect(try #require(RedirectTarget(head)).url == "http://a.example/x?y#z")
    #expect(RedirectTarget(HTTPRequest(method: .options, scheme: "http", authority: "a", path: "*")) == nil)
    #expect(RedirectTarget(HTTPRequest(method: .get, scheme: "http", authority: nil, path: "/")) == nil)
    #expect(RedirectTarget(HTTPRequest(method: .get, scheme: "http", authority: "u:p@a", path: "/")) == nil)
    #expect(
      try #require(RedirectTarget(HTTPRequest(method: .get, scheme: nil, authority: "a", path: nil))).url
        == "https://a/")
  }
}
