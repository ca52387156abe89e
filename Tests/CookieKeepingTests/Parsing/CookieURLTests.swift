import HTTPTypes
import Testing

@testable import CookieKeeping

@Suite struct CookieURLTests {
  @Test("Host, path and security of a request are read; port, query and case are ignored")
  func parts() throws {
    let url = try #require(CookieURL(text: "HTTPS://Estate.Example:8443/a/b?c=/d"))
    #expect(url.host == "estate.example" && url.path == "/a/b" && url.isSecure && !url.isAddress)
    let address = try #require(CookieURL(text: "http://[2001:DB8::1]:80"))
    #expect(address.host == "[2001:db8::1]" && address.path == "" && !address.isSecure && address.isAddress)
    #expect(CookieURL(text: "http://192.0.2.1/")?.isAddress == true)
    #expect(CookieURL(text: "http://user:pass@host/") == nil)
    #expect(CookieURL(HTTPRequest(method: .get, scheme: "http", authority: nil, path: "/")) == nil)
  }

  @Test(
    "The default path ends before the last slash",
    arguments: [
      ("/a/b", "/a"), ("/a/", "/a"), ("/a", "/"), ("/", "/"), ("", "/"), ("*", "/"), ("/a/b/c?/d", "/a/b"),
    ])
  func defaultPath(_ path: String, expected: String) throws {
    let head = HTTPRequest(method: .options, scheme: "https", authority: "a", path: path)
    #expect(try #require(CookieURL(head)).defaultPath == expected)
  }

  @Test(
    "A host is in a domain if it is equal, or ends in it after a dot and is no address",
    arguments: [
      ("a.example", "a.example", true), ("b.a.example", "a.example", true),
      ("ba.example", "a.example", false),
      ("a.example", "b.a.example", false), ("example", "a.example", false), ("192.0.2.1", "2.1", false),
      ("192.0.2.1", "192.0.2.1", true), ("a.example", "", false), (".example", "example", true),
    ])
  func domains(_ host: String, domain: String, isIn: Bool) {
    #expect(CookieURL.isHost(host, inDomain: domain) == isIn)
  }

  @Test(
    "A path is below a cookie's if it is equal, or continues after a slash",
    arguments: [
      ("/a", "/a", true), ("/a/b", "/a", true), ("/a/b", "/a/", true), ("/ab", "/a", false), ("/", "/", true),
      ("", "/", true), ("/a", "/a/", false), ("/a", "/", true), ("/A", "/a", false),
    ])
  func paths(_ path: String, cookiePath: String, isBelow: Bool) {
    #expect(CookieURL.isPath(path[...], below: cookiePath) == isBelow)
  }
}
