import Testing

@testable import Inspection

@Suite struct PageRequestTests {
  private static let get = "GET /abc/calls?after=4 HTTP/1.1\r\nHost: 127.0.0.1:80\r\nX-A:  b \r\n\r\n"

  private static func progress(_ text: String) -> PageRequestParser.Progress {
    var parser = PageRequestParser()
    parser.append(text.utf8)
    return parser.next()
  }

  @Test("A request is read whole or byte by byte")
  func whole() {
    let request = PageRequest(
      method: "GET", target: "/abc/calls?after=4",
      fields: [.init(name: "host", value: "127.0.0.1:80"), .init(name: "x-a", value: "b")])
    #expect(Self.progress(Self.get) == .complete(request))
    var parser = PageRequestParser()
    for byte in Self.get.utf8.dropLast() {
      parser.append([byte])
      let progress = parser.next()
      #expect(progress == .incomplete)
    }
    parser.append([0x0A])
    let progress = parser.next()
    #expect(progress == .complete(request))
    #expect(!parser.isWithinRequest)
  }

  @Test("A head is found wherever its end is torn, also behind a request that was read before")
  func tornHead() {
    for cut in 1..<Self.get.utf8.count {
      var parser = PageRequestParser()
      for _ in 0..<2 {
        parser.append(Self.get.utf8.prefix(cut))
        let progress = parser.next()
        #expect(progress == .incomplete)
        parser.append(Self.get.utf8.dropFirst(cut))
        guard case .complete = parser.next() else {
          Issue.record("no request, torn at \(cut)")
          return
        }
      }
    }
  }

  @Test("A body that arrives in pieces is whole, and one beyond the limit is refused by its length")
  func bodies() {
    var parser = PageRequestParser()
    let body = [UInt8](repeating: 0x61, count: PageRequestParser.bodyLimit)
    parser.append("POST /a HTTP/1.1\r\nContent-Length: \(body.count)\r\n\r\n".utf8)
    for start in stride(from: 0, to: body.count, by: 16 << 10) {
      guard case .incomplete = parser.next() else {
        Issue.record("complete after \(start) bytes")
        return
      }
      parser.append(body[start..<min(start + 16 << 10, body.count)])
    }
    guard case .complete(let request) = parser.next() else {
      Issue.record("no request")
      return
    }
    #expect(request.body == body)
    parser.append("POST /a HTTP/1.1\r\nContent-Length: \(body.count + 1)\r\n\r\n".utf8)
    let refused = parser.next()
    #expect(refused == .refused(413))
  }

  @Test("Requests that arrive together are read one after another, each with its body")
  func pipelined() {
    var parser = PageRequestParser()
    parser.append("POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nxyzGET /b HTTP/1.0\r\n\r\n".utf8)
    guard case .complete(let first) = parser.next(), case .complete(let second) = parser.next() else {
      Issue.record("no requests")
      return
    }
    #expect(first.method == "POST")
    #expect(first.body == Array("xyz".utf8))
    #expect(second.body.isEmpty)
    #expect(!first.closes)
    #expect(second.target == "/b")
    #expect(second.closes)
    let rest = parser.next()
    #expect(rest == .incomplete)
  }

  @Test(
    "What no browser sends is refused",
    arguments: [
      ("GET / HTTP/1.1\nHost: a\n\r\n\r\n", 400), ("GET  / HTTP/1.1\r\n\r\n", 400), ("GET /\r\n\r\n", 400),
      ("GET / HTTP/2.0\r\n\r\n", 505), ("GET / HTTP/1.1\r\nA : b\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\n: b\r\n\r\n", 400), ("GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nA: b\u{0}c\r\n\r\n", 400), ("GET / HTTP/1.1\r\nA: b\rc\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 501),
      ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", 400),
      ("POST / HTTP/1.1\r\nContent-Length: 1048577\r\n\r\n", 413),
    ])
  func illegal(text: String, status: Int) {
    #expect(Self.progress(text) == .refused(status))
  }

  @Test("A head of more than 16 KiB is refused before it ends, and one below is read")
  func longHead() {
    #expect(Self.progress("GET /" + String(repeating: "a", count: 17_000)) == .refused(431))
    let rest = " HTTP/1.1\r\n\r\n"
    let longest = "GET /" + String(repeating: "a", count: (16 << 10) - 5 - rest.utf8.count) + rest
    guard case .complete = Self.progress(longest) else {
      Issue.record("the longest head was refused")
      return
    }
    #expect(Self.progress("GET /a" + longest.dropFirst(5)) == .refused(431))
  }

  @Test("Random bytes never trap the parser")
  func randomBytes() {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("GETPOS /HTTP1.:\r\n\r\n\u{0} aContent-Length5".utf8)
    for _ in 0..<5_000 {
      var parser = PageRequestParser()
      for _ in 0..<8 {
        parser.append(
          (0..<Int.random(in: 0...12, using: &generator)).map { _ in
            alphabet.randomElement(using: &generator) ?? 0
          })
        if case .refused = parser.next() { break }
      }
    }
  }
}

@Suite struct PageAccessTests {
  private static let access = PageAccess(token: "0123456789abcdef0123456789abcdef", port: 8_090)
  private static let path = "/0123456789abcdef0123456789abcdef/"

  private static func verdict(
    _ fields: [(String, String)] = [("host", "127.0.0.1:8090")], method: String = "GET",
    target: String = path + "calls?after=3"
  ) -> PageAccess.Verdict {
    access.verdict(
      on: PageRequest(
        method: method, target: target, fields: fields.map { PageRequest.Field(name: $0.0, value: $0.1) }))
  }

  @Test("A new token has 128 random bits")
  func token() {
    let tokens = Set((0..<100).map { _ in PageAccess(port: 1).token })
    #expect(tokens.count == 100)
    #expect(tokens.allSatisfy { $0.utf8.count == 32 && $0.allSatisfy(\.isHexDigit) })
  }

  @Test("The page's own requests are admitted, by each name of the machine")
  func own() {
    for host in ["127.0.0.1:8090", "localhost:8090", "[::1]:8090", "LOCALHOST:8090"] {
      #expect(Self.verdict([("host", host)]) == .admitted(path: "calls", query: "after=3"))
    }
    #expect(
      Self.verdict([
        ("host", "localhost:8090"), ("origin", "http://localhost:8090"), ("sec-fetch-site", "same-origin"),
      ]) == .admitted(path: "calls", query: "after=3"))
    #expect(Self.verdict(target: Self.path) == .admitted(path: "", query: ""))
    #expect(Self.verdict(target: String(Self.path.dropLast())) == .redirected)
  }

  @Test(
    "Another host, origin or site is refused",
    arguments: [
      [], [("host", "evil.test:8090")], [("host", "127.0.0.1")], [("host", "127.0.0.1:8091")],
      [("host", "127.0.0.1:8090"), ("host", "127.0.0.1:8090")],
      [("host", "127.0.0.1:8090"), ("origin", "http://evil.test")],
      [("host", "127.0.0.1:8090"), ("origin", "null")],
      [("host", "127.0.0.1:8090"), ("origin", "http://localhost:8090")],
      [("host", "127.0.0.1:8090"), ("sec-fetch-site", "cross-site")],
      [("host", "127.0.0.1:8090"), ("sec-fetch-site", "same-site"), ("sec-fetch-mode", "cors")],
      [("host", "127.0.0.1:8090"), ("sec-fetch-site", "none"), ("sec-fetch-site", "cross-site")],
    ])
  func foreign(fields: [(String, String)]) {
    #expect(Self.verdict(fields) == .refused(403))
  }

  @Test(
    "A wrong token is not found, whatever else is asked",
    arguments: ["/", "/calls", "/0123456789abcdef0123456789abcdeF/", "/0123456789abcdef/", "/../"])
  func wrongToken(target: String) {
    #expect(Self.verdict(target: target) == .refused(404))
    #expect(Self.verdict([("host", "127.0.0.1:8090")], method: "POST", target: target) == .refused(404))
  }

  @Test("A POST needs the field that a form can't set, and other methods are refused")
  func methods() {
    #expect(Self.verdict(method: "POST") == .refused(403))
    #expect(
      Self.verdict([("host", "127.0.0.1:8090"), ("x-inspector", "1")], method: "POST")
        == .admitted(path: "calls", query: "after=3"))
    #expect(Self.verdict(method: "DELETE") == .refused(405))
    #expect(Self.verdict(target: "http://evil.test/") == .refused(400))
  }
}
