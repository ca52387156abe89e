import Foundation
import HTTPTypes
import Interception
import RequestLogging
import Testing

/// Runs the command lines with bash and curl, and compares the received bytes with the request.
@Suite(
  .enabled(if: Bash.isPresent || CommandLine.isOnCI, "Requires bash and curl"), .timeLimit(.minutes(5)),
  .serialized)
struct CurlCommandRunTests {
  private func line(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// Runs a request's command line and compares what the server receives.
  private func check(_ request: Request, _ entry: Bash.Entry, at server: CaptureServer) async throws {
    let command = CurlCommand.unsafeUnredacted(request)
    #expect(!command.line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
    try await Bash.run(command.line, entry)
    let all = server.take()
    #expect(all.count == 1)
    let arrived = try #require(all.first)
    let body = request.body.bytes ?? []
    #expect(arrived.requestLine == line("\(request.head.method) \(request.head.path ?? "/") HTTP/1.1"))
    #expect(arrived.body == body)
    var expected = request.head.headerFields.map { field in
      line(field.name.rawName + ":" + (field.value.isEmpty ? "" : " "))
        + field.withUnsafeBytesOfValue(Array.init)
    }
    expected.append(line("Host: \(request.head.authority ?? "")"))
    if !body.isEmpty || request.head.method == .post {
      expected.append(line("Content-Length: \(body.count)"))
    }
    #expect(Set(arrived.fieldLines) == Set(expected))
    #expect(arrived.fieldLines.count == expected.count)
  }

  private static let bodies: [[UInt8]] =
    [
      "", "plain", "@/etc/hostname", "a'b", #"a"b$(touch x)`id`$HOME"#, "!!", "!x 'y' !z", #"\n\x41\'"#,
      "a\nb\r\n\tc\n",
      "%s%n%%%d", "-n", "--", "北京 é 🏠 ß", "\u{202E}abc\u{200B}\u{FEFF}", "\u{1B}[31m\u{7}", "a=b&c=d", "'",
      "\\", "''''",
      "{\"name\": \"it's\"}\n", "e\u{301}", "\u{85}\u{2028}", "#comment", "~", "*?[a]{b,c}",
      "\u{E000}\u{10FFFF}",
    ].map { Array($0.utf8) } + [
      [0], [0, 0, 65, 0], Array(0...255), [0xFF, 0xFE], [0xC3], [0xE5, 0x8C], [0xC0, 0x80],
      [0xED, 0xA0, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0x30, 0, 0x31, 0x39], [1, 0x41, 0x30], Array(repeating: 0x27, count: 65_536),
      Array(repeating: 0x21, count: 65_537),
      Array((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 167 >> 3) }),
    ]

  @Test("E11: Any body arrives byte for byte", arguments: Bash.Entry.allCases)
  func bodies(entry: Bash.Entry) async throws {
    let server = try CaptureServer()
    defer { server.stop() }
    for body in Self.bodies {
      let request = Request(
        method: .post, scheme: "http", authority: "127.0.0.1:\(server.port)", path: "/x",
        headerFields: [.contentType: "application/octet-stream", .userAgent: "test/1", .accept: "*/*"],
        body: .bytes(body))
      try await check(request, entry, at: server)
    }
  }

  @Test("E11: Random bodies arrive byte for byte", arguments: Bash.Entry.allCases)
  func randomBodies(entry: Bash.Entry) async throws {
    let server = try CaptureServer()
    defer { server.stop() }
    let nasty: [UInt8] =
      Array("'\"\\!$`%\n\r\t @#&;|<>(){}[]*?~^-x0".utf8) + [0, 1, 0x7F, 0x80, 0xC3, 0xA9, 0xFF]
    for _ in 0..<40 {
      let body = (0..<Int.random(in: 1...200)).map { _ in nasty.randomElement() ?? 0 }
      let request = Request(
        method: .put, scheme: "http", authority: "127.0.0.1:\(server.port)", path: "/x",
        body: .bytes(body))
      try await check(request, entry, at: server)
    }
  }

  @Test("E11: Any field value arrives byte for byte, and curl adds no field", arguments: Bash.Entry.allCases)
  func fields(entry: Bash.Entry) async throws {
    let server = try CaptureServer()
    defer { server.stop() }
    let values = [
      "it's", "a!b !! !x", #""q" $HOME `id` $(id)"#, #"back\slash\n"#, "é 北京 🏠", "", "semi;colon;",
      "@/etc/hostname",
      "a, b", "tab\tin", "%20%", "~", "colon: x", "-x",
    ]
    for (number, value) in values.enumerated() {
      var fields = HTTPFields()
      fields.append(HTTPField(name: try #require(HTTPField.Name("X-\(number)")), value: value))
      fields.append(HTTPField(name: .cookie, value: "a=\(number)"))
      if let raw = HTTPField.Name("X-Raw") { fields.append(HTTPField(name: raw, value: [0xE9, 0x27, 0xFF])) }
      let request = Request(
        scheme: "http", authority: "127.0.0.1:\(server.port)", path: "/x", headerFields: fields)
      try await check(request, entry, at: server)
    }
  }

  @Test("E11: Any path arrives unchanged", arguments: Bash.Entry.allCases)
  func paths(entry: Bash.Entry) async throws {
    let server = try CaptureServer()
    defer { server.stop() }
    let paths = [
      "/", "/a/../b/./c", "/x[1-3]{a,b}", "/x?a=b&c='d'&e=\"f\"", "/!x?!!", "/%2F%20", "/x;y=$HOME", "/a//b",
      "/x?", "/~*",
    ]
    for path in paths {
      try await check(
        Request(scheme: "http", authority: "127.0.0.1:\(server.port)", path: path), entry, at: server)
    }
  }

  @Test(
    "Any method arrives, with and without a body",
    arguments: [
      ("GET", ""), ("GET", "x"), ("POST", ""), ("PUT", "x"), ("DELETE", ""), ("DELETE", "x"), ("PATCH", "x"),
      ("OPTIONS", ""), ("HEAD", ""), ("PROPFIND", ""), ("X!'$", ""),
    ])
  func methods(method: String, body: String) async throws {
    let server = try CaptureServer()
    defer { server.stop() }
    let request = Request(
      method: try #require(HTTPRequest.Method(method)), scheme: "http",
      authority: "127.0.0.1:\(server.port)", path: "/x", body: .text(body))
    try await check(request, .argument, at: server)
  }

  @Test("E6: A connect target is used, and the Host field is still the URL's", arguments: [true, false])
  func connectTarget(hasPort: Bool) async throws {
    let server = try CaptureServer()
    defer { server.stop() }
    var request = Request(
      scheme: "http", authority: hasPort ? "no-such-host.test" : "no-such-host.test:\(server.port)",
      path: "/x")
    request.context.connectTarget = ConnectTarget(
      address: "127.0.0.1", port: hasPort ? Int(server.port) : nil)
    try await check(request, .argument, at: server)
  }

  @Test("A redacted command line can be run, and sends no secret")
  func redacted() async throws {
    let server = try CaptureServer()
    defer { server.stop() }
    let request = Request(
      method: .post, scheme: "http", authority: "user:pass@127.0.0.1:\(server.port)",
      path: "/x?token=s3cret&page=2",
      headerFields: [.authorization: "Bearer s3cret", .contentType: "text/plain"], body: .text("s3cret"))
    let command = CurlCommand(request, redaction: Redaction(showingQueryValuesOf: ["page"]))
    #expect(!command.line.contains("s3cret"))
    try await Bash.run(command.line, .typed)
    let arrived = try #require(server.take().first)
    #expect(arrived.requestLine == line("POST /x?token=REDACTED&page=2 HTTP/1.1"))
    #expect(arrived.fieldLines.contains(line("Authorization: REDACTED")))
    #expect(arrived.fieldLines.contains(line("Host: 127.0.0.1:\(server.port)")))
    #expect(arrived.body == line("REDACTED"))
  }
}

extension CommandLine {
  /// Whether a missing tool is a failure instead of a reason to skip.
  static var isOnCI: Bool { ProcessInfo.processInfo.environment["CI"] == "true" }
}
