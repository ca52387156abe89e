import HTTPTypes
import Interception
import Testing

@testable import CurlTransport

@Suite struct RequestPlanTests {
  private func plan(_ request: Request) throws(NetworkError) -> RequestPlan {
    try RequestPlan(request, sites: SiteCache(.init()))
  }

  private func lines(_ plan: RequestPlan) -> [String] {
    plan.lines.headers.bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  static let badTargets: [(scheme: String?, authority: String?, path: String?, culprit: String)] = [
    (nil, "a.test", "/", "no scheme"),
    ("ftp", "a.test", "/", "\"ftp\""),
    ("file", "a.test", "/etc/passwd", "\"file\""),
    ("https", nil, "/", "no authority"),
    ("https", "", "/", "no authority"),
    ("https", "me:hunter2@a.test", "/", "user information"),
    ("https", "a.test:0", "/", "port"),
    ("https", "a.test:65536", "/", "port"),
    ("https", "a.test:", "/", "port"),
    ("https", "a.test:+80", "/", "port"),
    ("https", "a.test:80x", "/", "port"),
    ("https", "a b.test", "/", "host"),
    ("https", "a.test/x", "/", "host"),
    ("https", "a%2e.test", "/", "host"),
    ("https", "bücher.test", "/", "xn--"),
    ("https", ":80", "/", "host"),
    ("https", "[::1", "/", "bracket"),
    ("https", "a.test:08602", "/", "leading zeros"),
    ("https", "A.test:0443", "/", "leading zeros"),
    ("https", "127.1", "/", "ends in a number"),
    ("https", "0x7f000001", "/", "ends in a number"),
    ("https", "2130706433:8443", "/", "ends in a number"),
    ("https", "0177.0.0.1", "/", "ends in a number"),
    ("https", "1.2.3.4.5", "/", "ends in a number"),
    ("https", "127.0.0.1.", "/", "ends in a number"),
    ("https", "A.0XfF", "/", "ends in a number"),
    ("https", "[1.2.3.4]", "/", "IPv6"),
    ("https", "[::ffff:0177.0.0.1]", "/", "IPv6"),
    ("https", "[nonsense]", "/", "IPv6"),
    ("https", "[::1]x", "/", "port"),
    ("https", "a.test", "relative", "\"/\""),
    ("https", "a.test", "*", "\"/\""),
    ("https", "a.test", "/a b", "byte 0x20 at 2"),
    ("https", "a.test", "/a\nb", "byte 0x20 at 2"),
    ("https", "a.test", "/ü", "byte 0xc3 at 1"),
    ("https", "a.test", "/a#part", "fragment"),
  ]

  @Test(
    "A target that cannot be sent as it is is refused, with the part that is wrong", arguments: badTargets)
  func badTarget(
    scheme: String?, authority: String?, path: String?, culprit: String
  ) throws {
    let request = Request(HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path))
    let error = try #require(throws: NetworkError.self) { _ = try plan(request) }
    #expect(error.kind == .invalidRequest)
    #expect(error.reason.contains(culprit))
    #expect(!error.reason.contains("hunter2"))
    #expect(!error.requestMayHaveBeenProcessed)
  }

  static let goodTargets: [(authority: String, path: String?, origin: String, sent: String)] = [
    ("A.test", nil, "a.test:443", "/"),
    ("a.test:8443", "", "a.test:8443", "/"),
    ("[::1]:9", "/x?y=1&z=%20", "[::1]:9", "/x?y=1&z=%20"),
    ("under_score.test", "/a/../b//c", "under_score.test:443", "/a/../b//c"),
    ("127.0.0.1", "//double?", "127.0.0.1:443", "//double?"),
    ("[::FFFF:127.0.0.1]", "/", "[::ffff:127.0.0.1]:443", "/"),
    ("1.2.3.4.test", "/", "1.2.3.4.test:443", "/"),
    ("0x.cafe", "/", "0x.cafe:443", "/"),
  ]

  @Test("A target is sent byte for byte", arguments: goodTargets)
  func goodTarget(authority: String, path: String?, origin: String, sent: String)
    throws
  {
    let request = Request(HTTPRequest(method: .get, scheme: "HTTPS", authority: authority, path: path))
    let plan = try RequestPlan(request, sites: SiteCache(.init(userAgent: nil)))
    #expect("\(plan.origin)" == origin)
    #expect(plan.path == sent && plan.lines.target == sent)
    #expect(plan.site.options.url == "https://\(authority)/")
  }

  static let badFields: [(name: String, value: String)] = [
    ("Host", "other.test"), ("Content-Length", "3"), ("Transfer-Encoding", "chunked"),
    ("Expect", "100-continue"),
    ("Connection", "close"), ("Upgrade", "websocket"), ("Keep-Alive", "5"), ("HTTP2-Settings", "x"),
    ("Proxy-Connection", "close"), ("Proxy-Authorization", "Basic eDp5"),
  ]

  @Test("A field that contradicts the request or belongs to the connection is refused", arguments: badFields)
  func badField(
    name: String, value: String
  ) throws {
    var request = Request(authority: "a.test", path: "/")
    request.head.headerFields[try #require(.init(name))] = value
    let error = try #require(throws: NetworkError.self) { _ = try plan(request) }
    #expect(error.kind == .invalidRequest)
    #expect(error.reason.contains(name))
  }

  @Test("Fields that repeat what the transport sends are sent once")
  func repeatedFields() throws {
    var request = Request(method: .post, authority: "a.test", path: "/", body: .text("abc"))
    request.head.headerFields[try #require(.init("Host"))] = "a.test"
    request.head.headerFields[.contentLength] = "3"
    request.head.headerFields[.userAgent] = "Mine"
    request.head.headerFields[.accept] = "*/*"
    #expect(
      try lines(plan(request)) == [
        "Host: a.test", "User-Agent: Mine", "Accept: */*", "Expect:", "Accept-Encoding: identity",
      ])
  }

  @Test("Cookies are sent in one field, in their order, however many fields hold them")
  func cookies() throws {
    func cookieLines(_ fields: HTTPFields) throws -> [String] {
      var request = Request(authority: "a.test", path: "/")
      request.head.headerFields = fields
      return try lines(plan(request)).filter { $0.lowercased().hasPrefix("cookie") }
    }
    var fields = HTTPFields()
    fields[.cookie] = "a=1"
    #expect(try cookieLines(fields) == ["Cookie: a=1"])
    fields[.cookie] = "a=1; b=2; c=3"
    #expect(fields.count == 3)
    fields[.accept] = "*/*"
    fields.append(HTTPField(name: .cookie, value: [0x64, 0x3D, 0xC3, 0xA4]))
    fields.append(HTTPField(name: .cookie, value: "e=5; f=6"))
    #expect(try cookieLines(fields) == ["Cookie: a=1; b=2; c=3; d=ä; e=5; f=6"])
    #expect(try cookieLines([.cookie: ""]) == ["Cookie;"])
  }

  @Test("A field value cannot begin another line")
  func lineBreaks() throws {
    // The currency type already replaces line breaks; the block checks once more, since it is what reaches
    // the wire.
    var block = HeaderBlock()
    let name = try #require(HTTPField.Name("X-Note"))
    try block.append(HTTPField(name: name, value: "a\r\nEvil: 1\0"))
    let text = String(decoding: block.bytes, as: UTF8.self)
    #expect(!text.contains("\r") && !text.contains("\n"))
    #expect(block.count == 1 && block.bytes.count { $0 == 0 } == 1)
  }

  @Test("An empty value and bytes beyond ASCII are sent as they are")
  func values() throws {
    var block = HeaderBlock()
    let name = try #require(HTTPField.Name("X-Note"))
    try block.append(HTTPField(name: name, value: ""))
    try block.append(HTTPField(name: name, value: [0xE4] as [UInt8]))
    #expect(block.bytes == Array("X-Note;\0X-Note: ".utf8) + [0xE4, 0])
  }

  @Test("A method without a body refuses one", arguments: [HTTPRequest.Method.head, .trace])
  func bodiless(method: HTTPRequest.Method) throws {
    let request = Request(method: method, authority: "a.test", path: "/", body: .text("x"))
    #expect(throws: NetworkError.self) { _ = try plan(request) }
  }

  @Test(
    "Identity is asked for, unless the request has a field of its own or switches protocols",
    arguments: [
      (nil, "identity"), ("zstd", "zstd"), ("", ""), ("br;q=0.5, *;q=0", "br;q=0.5, *;q=0"),
    ] as [(String?, String)], [false, true])
  func codings(values: (field: String?, sent: String), hasOtherFields: Bool) throws {
    let (field, sent) = values
    var request = Request(authority: "a.test", path: "/")
    request.head.headerFields[.acceptEncoding] = field
    if hasOtherFields { request.head.headerFields[.accept] = "*/*" }
    func codings() throws -> [String] {
      try lines(plan(request)).filter { $0.hasPrefix("Accept-Encoding") }
    }
    #expect(try codings() == [sent.isEmpty ? "Accept-Encoding;" : "Accept-Encoding: \(sent)"])
    guard field == nil else { return }
    request.context.upgrade = "websocket"
    #expect(try codings() == [])
  }

  @Test("Connect targets that change from request to request are never those of another request")
  func alternating() throws {
    let sites = SiteCache(CurlDispatcher.Configuration())
    var request = Request(authority: "a.test", path: "/")
    for round in 0..<6 {
      request.context.connectTarget = ConnectTarget(
        address: "10.0.0.\(1 + round % 3)", port: 8000 + round % 2)
      let plan = try RequestPlan(request, sites: sites)
      #expect(
        plan.exchange.connectTo?.bytes
          == Array("a.test:443:10.0.0.\(1 + round % 3):\(8000 + round % 2)\0".utf8))
    }
  }

  @Test(
    "E6: A connect target is pinned to exactly the origin",
    arguments: [
      (ConnectTarget(address: "10.0.0.1"), "a.test:443:10.0.0.1:443"),
      (ConnectTarget(address: "10.0.0.1", port: 8443), "a.test:443:10.0.0.1:8443"),
      (ConnectTarget(address: "2001:db8::1"), "a.test:443:[2001:db8::1]:443"),
    ])
  func connectTarget(target: ConnectTarget, line: String) throws {
    var request = Request(authority: "A.test", path: "/")
    request.context.connectTarget = target
    #expect(try plan(request).exchange.connectTo?.bytes == Array("\(line)\0".utf8))
  }

  @Test("E3: libcurl is given ten seconds to connect by default, or the limit of the request")
  func connectLimit() throws {
    var request = Request(authority: "a.test", path: "/")
    #expect(try plan(request).exchange.connectMilliseconds == 10_000)
    request.options.timeouts.connect = .milliseconds(150)
    #expect(try plan(request).exchange.connectMilliseconds == 150)
    // 0 would mean libcurl's own default.
    request.options.timeouts.connect = nil
    #expect(try plan(request).exchange.connectMilliseconds == Int(Int32.max))
  }

  @Test(
    "A connect target that is no address is refused",
    arguments: [
      ConnectTarget(address: "b.test"), ConnectTarget(address: "10.0.0.256"),
      ConnectTarget(address: "10.0.0.1", port: 0),
      ConnectTarget(address: "10.0.0.1,10.0.0.2"), ConnectTarget(address: ""),
      ConnectTarget(address: "010.0.0.1"), ConnectTarget(address: "1::2::3"),
    ])
  func badConnectTarget(target: ConnectTarget) throws {
    var request = Request(authority: "a.test", path: "/")
    request.context.connectTarget = target
    let error = try #require(throws: NetworkError.self) { _ = try plan(request) }
    #expect(error.kind == .invalidRequest)
  }

  @Test("A body that states a negative length is refused, with the length", arguments: [-1, -5, Int64.min])
  func negativeLength(_ length: Int64) throws {
    let body = RequestBody.restartable(length: length) { () throws(NetworkError) in
      throw NetworkError(.transport, "The body must not be read here.")
    }
    let request = Request(method: .post, authority: "a.test", path: "/", body: body)
    let error = try #require(throws: NetworkError.self) { _ = try plan(request) }
    #expect(error.kind == .invalidRequest)
    #expect(error.reason.contains("\(length) bytes"))
    #expect(!error.requestMayHaveBeenProcessed)
  }

  @Test("Credentials for a proxy are pointed to the policy, and not repeated")
  func proxyAuthorization() throws {
    var request = Request(authority: "a.test", path: "/")
    request.head.headerFields[.proxyAuthorization] = "Basic c2VjcmV0"
    let error = try #require(throws: NetworkError.self) { _ = try plan(request) }
    #expect(error.reason.contains("ProxyPolicy a URL with a user and a password"))
    #expect(!error.reason.contains("c2VjcmV0"))
  }

  @Test(
    "A User-Agent of the configuration that cannot be sent as it is is refused",
    arguments: ["a\r\nEvil: 1", "a\0", "a\u{7F}", " a", "a\n"])
  func userAgent(_ userAgent: String) throws {
    let sites = SiteCache(.init(userAgent: userAgent))
    let error = try #require(throws: NetworkError.self) {
      _ = try RequestPlan(Request(authority: "a.test", path: "/"), sites: sites)
    }
    #expect(error.kind == .invalidRequest)
    #expect(error.reason.contains("userAgent") && !error.reason.contains("Evil"))
  }
}
