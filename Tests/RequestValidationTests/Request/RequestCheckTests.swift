import HTTPTypes
import Interception
import Testing

@testable import RequestValidation

@Suite struct RequestCheckTests {
  private func faults(_ request: Request, _ limits: RequestLimits = RequestLimits()) -> [RuleViolation] {
    RequestCheck(limits: limits).faults(of: request)
  }

  private func get(_ path: String = "/", authority: String? = "a.example", scheme: String? = "https")
    -> Request
  {
    Request(HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path))
  }

  @Test(
    "A valid authority is accepted",
    arguments: [
      "a.example", "A.Example", "a.example:1", "a.example:65535", "localhost", "127.0.0.1:8080", "[::1]",
      "[2001:db8::1]:8443", "[::ffff:192.0.2.1]", "xn--bcher-kva.example", "under_score.example",
      "a.example.", "[fe80::1%25eth0]:80", "[fe80::1%eth0]", "1.2.3.4.example", "7.a", "0x.cafe",
      "255.255.255.255",
    ])
  func legalAuthority(_ authority: String) {
    #expect(faults(get(authority: authority)) == [])
  }

  static let authorities: [(String?, String)] = [
    (nil, "none"), ("", "none"), ("user@a.example", "user name"), ("user:s3cr3t@a.example", "user name"),
    ("a b.example", "white space"), ("a.example\r\nb", "white space"), ("a\0.example", "white space"),
    ("bücher.example", "ASCII form"), ("a.example:", "port"), ("a.example:0", "port"),
    ("a.example:65536", "port"),
    ("a.example:80x", "port"), ("a.example:-1", "port"), ("a.example:000000080", "port"), (":80", "host"),
    ("::1", "brackets"), ("[::1", "IPv6"), ("[]", "IPv6"), ("[abc]", "IPv6"), ("[::1]80", "colon"),
    ("[::1]:", "port"), ("[::g]", "IPv6"), ("a.example/x", "host"), ("a.example?x", "host"),
    ("a%2e.example", "host"), ("127.1", "four decimal numbers"), ("0x7f000001", "\"0x7f000001\""),
    ("2130706433", "four decimal numbers"), ("0177.0.0.1:80", "\"0177.0.0.1\""),
    ("1.2.3.4.5", "four decimal numbers"), ("a.example.1", "or use a name"),
    ("127.0.0.1.", "different addresses"),
    ("a.example:08602", "leading zeros"), ("[1.2.3.4]", "IPv6"), ("[1::2::3]", "IPv6"),
    ("[::ffff:0177.0.0.1]", "IPv6"), ("[2001:db8::1%25eth0]", "only link-local"),
    ("[fe80::1%25]]", "colon"), ("[fe80::1%]", "a zone that is not"),
    ("[fe80::%25x%25]", "a zone that is not"),
  ]

  @Test("An invalid authority is refused, and the fault named", arguments: authorities)
  func illegalAuthority(_ authority: String?, _ word: String) throws {
    let found = faults(get(authority: authority))
    #expect(found.map(\.rule) == ["authority"])
    let sentence = try #require(found.first?.sentence)
    #expect(sentence.contains(word), "\(sentence)")
    #expect(!sentence.contains("s3cr3t"))
  }

  @Test(
    "A path that is valid by RFC 3986 is accepted",
    arguments: [
      "/", "/a/b?c=d&e=%20f", "/%E4%B8%8A", "/a//b", "/?", "/a?b?c=/d", "/a:b@c;d,e!$&'()*+=~-._", "/a|b{c}",
      "/..", "/?q=" + String(repeating: "x", count: 8_000),
    ])
  func legalPath(_ path: String) {
    #expect(faults(get(path)) == [])
  }

  @Test(
    "A path that can't be sent unchanged is refused, with the byte's position",
    arguments: [
      ("", "is empty"), ("a", "slash"), ("a.example/", "slash"), ("*", "slash"), ("/a b", "byte 3"),
      ("/a\r\nX-Evil: 1", "byte 3"), ("/a\0b", "byte 3"), ("/a\u{7F}b", "byte 3"), ("/上", "not ASCII"),
      ("/a#b", "fragment"), ("/100%", "percent sign"), ("/%4", "percent sign"), ("/%zz", "percent sign"),
    ])
  func illegalPath(_ path: String, _ word: String) throws {
    let found = faults(get(path))
    #expect(found.map(\.rule) == ["path"])
    #expect(try #require(found.first?.sentence).contains(word))
  }

  @Test("An asterisk is a valid path for OPTIONS only")
  func asterisk() {
    #expect(faults(Request(method: .options, authority: "a.example", path: "*")) == [])
  }

  @Test(
    "Only the schemes in the limits are accepted",
    arguments: [
      ("https", true, true), ("http", true, false), ("HTTPS", true, true), ("ftp", false, false),
      ("file", false, false), ("", false, false), (nil, false, false),
    ] as [(String?, Bool, Bool)])
  func scheme(_ scheme: String?, _ passes: Bool, _ passesHTTPSOnly: Bool) {
    #expect(faults(get(scheme: scheme)).isEmpty == passes)
    let httpsOnly = faults(get(scheme: scheme), RequestLimits(schemes: ["https"]))
    #expect(httpsOnly.isEmpty == passesHTTPSOnly)
    #expect(httpsOnly.allSatisfy { $0.rule == "scheme" && $0.sentence.contains("https") })
  }

  @Test(
    "CONNECT and TRACE are refused, custom methods accepted",
    arguments: [("CONNECT", false), ("TRACE", false), ("PURGE", true), ("DELETE", true), ("OPTIONS", true)])
  func method(_ method: String, _ passes: Bool) throws {
    let request = try Request(method: #require(HTTPRequest.Method(method)), authority: "a.example", path: "/")
    #expect(faults(request).isEmpty == passes)
    #expect(faults(request, RequestLimits(refusedMethods: [])).isEmpty)
  }

  @Test("A URL has at most 8 KiB", arguments: [(8_192, true), (8_193, false)])
  func urlLength(_ bytes: Int, _ passes: Bool) {
    let path = "/" + String(repeating: "a", count: bytes - "https://a.example/".utf8.count)
    #expect(faults(get(path)).map(\.rule) == (passes ? [] : ["url"]))
  }

  @Test("Header fields are limited in number, size and total size")
  func fieldLimits() {
    var request = get()
    for number in 0..<4 {
      request.head.headerFields.append(HTTPField(name: .accept, value: String(repeating: "x", count: number)))
    }
    #expect(faults(request, RequestLimits(fieldCount: 4)).isEmpty)
    #expect(faults(request, RequestLimits(fieldCount: 3)).map(\.rule) == ["fields"])
    #expect(faults(request, RequestLimits(fieldBytes: 9)).isEmpty)
    let long = faults(request, RequestLimits(fieldBytes: 8))
    #expect(long.count == 1)
    #expect(long.first?.sentence.contains("Accept; it has 9 bytes, of at most 8") == true)
    // Four names of six bytes, values of 0 + 1 + 2 + 3 bytes, and four bytes of punctuation each.
    #expect(faults(request, RequestLimits(headerBytes: 46)).isEmpty)
    #expect(faults(request, RequestLimits(headerBytes: 45)).map(\.rule) == ["fields"])
  }

  @Test("Control characters in lenient values are found, and the value isn't quoted")
  func lenientValue() {
    var request = get()
    request.head.headerFields.append(HTTPField(name: .cookie, lenientValue: Array("s3cr3t\u{1}".utf8)))
    let found = faults(request)
    #expect(found.map(\.rule) == ["fields"])
    #expect(found.first?.sentence.contains("Cookie") == true)
    #expect(found.first?.sentence.contains("s3cr3t") == false)
  }

  @Test("Line breaks in a value are replaced by spaces before validation")
  func lineBreaks() {
    var request = get()
    request.head.headerFields[.userAgent] = "a\r\nX-Evil: 1"
    #expect(faults(request).isEmpty)
    #expect(request.head.headerFields[.userAgent]?.utf8.contains(where: { $0 < 0x20 }) == false)
  }

  static let bodies: [(HTTPRequest.Method, Int, Bool)] = [
    (.get, 1, false), (.head, 1, false), (.get, 0, true), (.head, 0, true), (.post, 1, true),
    (.delete, 1, true),
  ]

  @Test("GET and HEAD may have a body only if the limits allow it", arguments: bodies)
  func bodyOfGet(_ method: HTTPRequest.Method, _ count: Int, _ passes: Bool) {
    let body = RequestBody.bytes([UInt8](repeating: 1, count: count))
    let request = Request(method: method, authority: "a.example", path: "/", body: body)
    #expect(faults(request).map(\.rule) == (passes ? [] : ["body"]))
    #expect(faults(request, RequestLimits(allowsBodyOfGet: true)).isEmpty)
  }

  @Test(
    "A body is limited if its length is known",
    arguments: [(4, true), (5, false), (nil, true)] as [(Int64?, Bool)])
  func bodyLength(_ length: Int64?, _ passes: Bool) {
    let body = RequestBody.restartable(length: length) { () throws(NetworkError) in
      throw NetworkError(.transport, "The body must not be read.")
    }
    let request = Request(method: .post, authority: "a.example", path: "/", body: body)
    #expect(faults(request, RequestLimits(bodyBytes: 4)).map(\.rule) == (passes ? [] : ["body"]))
  }

  @Test("A body with a negative length is refused under any limits", arguments: [-5, Int64.min])
  func negativeLength(_ length: Int64) {
    let body = RequestBody.once(length: length, BufferedByteSource([]))
    let request = Request(method: .post, authority: "a.example", path: "/", body: body)
    let found = faults(request, RequestLimits(bodyBytes: 4))
    #expect(found.map(\.rule) == ["body"])
    #expect(found.first?.sentence.contains("\(length) bytes") == true)
  }

  @Test(
    "Content-Length must match the body",
    arguments: [
      (["3"], true), (["4"], false), (["03"], true), (["-3"], false), (["+3"], false), (["3", "3"], false),
      (["3, 3"], false), (["x"], false), ([""], false), (["99999999999999999999"], false),
    ])
  func contentLength(_ values: [String], _ passes: Bool) {
    var request = Request(method: .post, authority: "a.example", path: "/", body: .text("abc"))
    request.head.headerFields[values: .contentLength] = values
    let found = faults(request)
    #expect(found.isEmpty == passes)
    #expect(found.allSatisfy { $0.rule == "framing" && $0.sentence.contains("Content-Length") })
  }

  @Test("Transfer-Encoding and a Host that contradicts the authority are refused")
  func framing() throws {
    let host = try #require(HTTPField.Name("Host"))
    var request = get()
    request.head.headerFields[host] = "A.example"
    #expect(faults(request).isEmpty)
    request.head.headerFields[host] = "evil.example"
    #expect(faults(request).map(\.rule) == ["framing"])
    request.head.headerFields[.transferEncoding] = "chunked"
    #expect(faults(request).map(\.rule) == ["framing", "framing"])
  }
}
