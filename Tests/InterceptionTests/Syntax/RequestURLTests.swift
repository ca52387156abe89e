import HTTPTypes
import Interception
import Testing

@Suite("A request for a URL")
struct RequestURLTests {
  @Test(
    "A URL is split into scheme, authority, path and query",
    arguments: [
      ("https://api.example.com/homes/42", "https", "api.example.com", "/homes/42"),
      ("HTTPS://api.example.com:8443/a?b=c&d#e", "https", "api.example.com:8443", "/a?b=c&d"),
      ("http://[::1]:80", "http", "[::1]:80", "/"),
      ("http://[::1]/a", "http", "[::1]", "/a"),
      ("https://example.com?page=2", "https", "example.com", "/?page=2"),
      ("https://example.com#top", "https", "example.com", "/"),
      ("https://example.com/søk?q=é", "https", "example.com", "/s%C3%B8k?q=%C3%A9"),
      ("https://example.com//a/../b;c=%2F:@!$&'()*+,=", "https", "example.com", "//a/../b;c=%2F:@!$&'()*+,="),
      ("https://example.com/%zz?%", "https", "example.com", "/%zz?%"),
    ])
  func parts(_ url: String, _ scheme: String, _ authority: String, _ path: String) throws {
    let request = try Request(url)
    #expect(request.head.method == .get)
    #expect(request.head.scheme == scheme)
    #expect(request.head.authority == authority)
    #expect(request.head.path == path)
  }

  @Test("The method, the header fields and the body are those given")
  func rest() throws {
    let request = try Request(
      "https://example.com/a", method: .put, headerFields: [.accept: "text/plain"], body: .text("b"))
    #expect(request.head.method == .put)
    #expect(request.head.headerFields == [.accept: "text/plain"])
    #expect(request.body.bytes == [0x62])
  }

  @Test(
    "A URL that cannot be sent is refused with the remedy",
    arguments: [
      ("", "begin it with https://"),
      ("api.example.com/homes", "begin it with https://"),
      ("//api.example.com", "begin it with https://"),
      ("localhost:8080/a", "begin it with https://"),
      ("https:/example.com", "no \"//\" after its scheme"),
      ("http:/x", "no \"//\" after its scheme"), ("HTTPS:x", "no \"//\" after its scheme"),
      ("ftp:/x", "no \"//\" after its scheme"), ("mailto:x", "no \"//\" after its scheme"),
      ("token:x", "no \"//\" after its scheme"), ("htps:/x", "has the scheme \"htps\"; write https://"),
      ("htp:/x", "has the scheme \"htp\"; write http://"),
      ("HTP:/x", "has the scheme \"HTP\"; write http://"),
      ("ttp:/x", "write http://"), ("htttp:/x", "write http://"), ("hhtp:/x", "write http://"),
      ("htpt:/x", "write http://"), ("ttps:/x", "write https://"), ("httpss:/x", "write https://"),
      ("httsp:x", "write https://"), ("thtps:/x", "write https://"),
      ("https:example.com", "no \"//\" after its scheme"), ("localhost:8932/", "begin it with https://"),
      (" https://example.com", "begin it with https://"),
      ("1http://example.com", "begin it with https://"),
      ("https:///homes", "names no host"),
      ("https://?a", "names no host"),
      ("https://ada:token@example.com/", "Authorization"),
      ("https://ada:token/7@example.com/", "a port that is no number"),
      ("https://ada:token?7@example.com/", "a port that is no number"),
      ("https://[::1]:token#7@example.com/", "a port that is no number"),
      ("https://exa mple.com/", "byte 11, in its host; remove a space"),
      ("https://exämple.com/", "xn--"),
      ("https://example.com\\@evil.example/", "Authorization"),
      ("https://example.com\\evil.example/", "byte 19, in its host"),
      ("https://example.com/a b", "contains a space at byte 21; write it as %20"),
      ("https://example.com/a\r\nX: y", "contains a control character at byte 21; write it as %0D"),
      ("https://example.com/?q={\"a\"}", "the character { at byte 23; write it as %7B"),
      ("https://example.com/\\a", "the character \\ at byte 20; write it as %5C"),
      ("https://example.com/\u{7F}", "write it as %7F"),
    ])
  func refused(_ url: String, _ remedy: String) throws {
    let error = try #require(throws: NetworkError.self) { try Request(url) }
    #expect(error.kind == .invalidRequest)
    #expect(!error.requestMayHaveBeenProcessed)
    #expect(error.reason.contains(remedy), "\(error.reason)")
    #expect(!error.reason.contains("token"))
  }
}
