import Foundation
import HTTPTypes
import Interception
import Testing

@testable import URLSessionTransport

@Suite struct RequestAddressTests {
  private func address(
    _ authority: String, _ path: String, scheme: String = "https", method: HTTPRequest.Method = .get
  ) throws(NetworkError) -> RequestAddress {
    try RequestAddress(HTTPRequest(method: method, scheme: scheme, authority: authority, path: path))
  }

  @Test(
    "A valid path is unchanged in the URL",
    arguments: ["/", "/a//b?c=%20&d=/../e", "/a%2Fb", "/~x;y,z:@!$&'()*+=", "/?", "/x?a=b?c"])
  func validPath(path: String) throws {
    #expect(
      try address("api.example.org:8443", path).url.absoluteString == "https://api.example.org:8443\(path)")
  }

  @Test(
    "A path that URL would rewrite is refused",
    arguments: [
      "/a/../b", "/./a", "/a/%2e%2E", "/a b", "/a#b", "/ä", "/a|b", "/a\"b", "/%zz", "a", "*", "/a\u{0}b",
    ])
  func rewrittenPath(path: String) {
    let error = #expect(throws: NetworkError.self) { try address("api.example.org", path) }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.requestMayHaveBeenProcessed == false)
  }

  @Test(
    "An invalid authority is refused without repeating its secrets",
    arguments: [
      "", "user:secret@host", "höst", "host:", "host:0", "host:65536", "host:x", "a b", ":80", "[::1",
      "host:08602", "127.1", "0x7f000001", "2130706433:80", "0177.0.0.1", "1.2.3.4.5",
    ])
  func invalidAuthority(authority: String) {
    let error = #expect(throws: NetworkError.self) { try address(authority, "/") }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.reason.contains("secret") == false)
  }

  @Test("A scheme other than http and https is refused", arguments: ["file", "ftp", "", "httpx"])
  func otherScheme(scheme: String) {
    #expect(throws: NetworkError.self) { try address("host", "/", scheme: scheme) }
  }

  @Test("The origin has the default port of the scheme")
  func defaultPort() throws {
    #expect(try address("Host", "/").origin == "host:443")
    #expect(try address("Host", "/", scheme: "HTTP").origin == "host:80")
    #expect(try address("[::1]:8080", "/").authority == "[::1]:8080")
    #expect(try address("[::ffff:192.0.2.1]", "/").authority == "[::ffff:192.0.2.1]")
    #expect(try address("host", "").url.absoluteString == "https://host/")
  }

  @Test("CONNECT is refused")
  func connect() {
    #expect(throws: NetworkError.self) { try address("host", "/", method: .connect) }
  }
}
