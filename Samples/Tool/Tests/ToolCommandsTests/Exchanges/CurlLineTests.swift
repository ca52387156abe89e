import HTTPTypes
import Interception
import RequestLogging
import Testing
import ToolCommands

@Suite struct CurlLineTests {
  private static func line(
    _ method: HTTPRequest.Method = .get, _ url: String = "https://a.test/b", _ fields: HTTPFields = [:],
    body: RequestBody = .empty, redaction: Redaction = Redaction(),
    _ change: (inout CurlLine.Options) throws -> Void = { _ in }
  ) throws -> CurlLine {
    var request = try Request(url, method: method)
    request.head.headerFields = fields
    request.body = body
    var options = CurlLine.Options()
    try change(&options)
    return CurlLine(request, agent: "test/1", redaction: redaction, options: options)
  }

  private static let ending = "-H 'User-Agent: test/1' -H Accept:"

  @Test("A plain request has its method, no fields of curl, and the URL as a value")
  func plain() throws {
    #expect(try Self.line().line == "curl \(Self.ending) --url https://a.test/b")
    #expect(try Self.line(.head).line == "curl --head \(Self.ending) --url https://a.test/b")
    #expect(try Self.line(.delete).line == "curl -X DELETE \(Self.ending) --url https://a.test/b")
    #expect(
      try Self.line(.get, "https://a.test/[1]/..").line.hasSuffix(
        "--globoff --path-as-is --url 'https://a.test/[1]/..'"))
  }

  @Test("Fields, queries and contents are hidden unless they are harmless or shown, and are counted")
  func secrets() throws {
    let fields: HTTPFields = [
      .authorization: "Bearer secret", .accept: "text/html", .userAgent: "x",
      .referer: "https://a.test/?k=secret",
      .contentType: "text/plain",
    ]
    let url = "https://a.test/b?token=secret&page=2"
    let redaction = Redaction(showingQueryValuesOf: ["page"])
    let hidden = try Self.line(.post, url, fields, body: .text("secret"), redaction: redaction)
    #expect(!hidden.line.contains("secret"))
    #expect(hidden.hiddenCount == 4)
    #expect(
      hidden.line
        == "curl -H 'Authorization: REDACTED' -H 'Accept: text/html' -H 'User-Agent: x' -H 'Referer: https://a.test/?k=REDACTED'"
        + " -H 'Content-Type: text/plain' -H Expect: --data-raw REDACTED"
        + " --url 'https://a.test/b?token=REDACTED&page=2'")
    let shown = try Self.line(.post, url, fields, body: .text("secret")) { $0.showsSecrets = true }
    #expect(shown.hiddenCount == 0)
    #expect(shown.line.contains("-H 'Authorization: Bearer secret'"))
    #expect(shown.line.contains("--data-raw secret"))
    #expect(shown.line.hasSuffix("--url 'https://a.test/b?token=secret&page=2'"))
  }

  private static func words(_ change: (inout CurlLine.Options) throws -> Void) throws -> String {
    try line(.get, "https://a.test/b", [:], change).line
  }

  @Test("Options of the command line have their counterparts")
  func options() throws {
    #expect(try Self.words { $0.maxRedirects = 5 }.contains(" -L --max-redirs 5 "))
    #expect(try Self.words { $0.timeout = 2.5 }.contains(" --max-time 2.500 "))
    #expect(try Self.words { $0.connectTimeout = 3 }.contains(" --connect-timeout 3 "))
    #expect(try Self.words { $0.retries = 2 }.contains(" --retry 2 "))
    #expect(try Self.words { $0.authorityFile = "my ca.pem" }.contains(" --cacert 'my ca.pem' "))
    #expect(
      try Self.words { $0.addresses = [try AddressArgument("a.test:::1,127.0.0.1")] }
        .contains(" --resolve 'a.test:443:[::1],127.0.0.1' "))
    #expect(
      try Self.words { $0.addresses = [try AddressArgument("a.test:127.0.0.1:99")] }
        .contains(" --connect-to a.test:443:127.0.0.1:99 "))
    #expect(
      try Self.words { $0.sockets = [try SocketArgument("a.test:/run/s")] }.contains(" --unix-socket /run/s ")
    )
    #expect(try Self.words { $0.proxy = "http://ann:secret@p.test:1" }.contains(" --proxy http://p.test:1 "))
    #expect(try Self.words { $0.excludesProxies = true }.contains(" --noproxy '*' "))
    #expect(
      try Self.words { ($0.includesHead, $0.fails, $0.output) = (true, true, "a b") }.contains(
        " -i -f -o 'a b' "))
  }

  @Test("An address or a socket of another host, or of another port, has no effect")
  func otherHosts() throws {
    let line = try Self.line(.get, "https://a.test/b", [:]) { options in
      options.addresses = [
        try AddressArgument("b.test:127.0.0.1"), try AddressArgument("a.test:80:127.0.0.1"),
      ]
      options.sockets = [try SocketArgument("b.test:/run/s")]
      options.http2Hosts = ["b.test"]
    }
    #expect(line.line == "curl \(Self.ending) --url https://a.test/b")
    let known = try Self.line(.get, "http://a.test/") { $0.http2Hosts = ["a.test"] }
    #expect(known.line.hasPrefix("curl --http2-prior-knowledge "))
    #expect(try Self.line(.get, "https://a.test/") { $0.triesHTTP3 = true }.line.hasPrefix("curl --http3 "))
    #expect(try !Self.line(.get, "http://a.test/") { $0.triesHTTP3 = true }.line.contains("--http3"))
  }

  @Test("A file stays a file, and parts of a form stay parts; curl chooses their boundary")
  func contents() throws {
    let file = try Self.line(.put, "https://a.test/b", [:]) { $0.content = .file("a b") }
    #expect(file.line.contains("-X PUT "))
    #expect(file.line.contains("--data-binary '@a b'"))
    let fields: HTTPFields = [.contentType: "multipart/form-data; boundary=x"]
    let form = try Self.line(.post, "https://a.test/", fields, body: .text("multipart")) { options in
      options.content = .parts([try FormArgument("n=secret"), try FormArgument("f=@a;b")])
    }
    #expect(form.line.contains("--form-string n=REDACTED -F 'f=@\"a;b\"'"))
    #expect(!form.line.contains("boundary"))
    #expect(form.hiddenCount == 1)
  }
}
