import HTTPTypes
import Interception
import RequestLogging
import SwitchyardTesting
import Testing

@Suite struct CurlCommandTests {
  private func request(_ change: (inout Request) -> Void = { _ in }) -> Request {
    var request = Request(authority: "a.test", path: "/x", headerFields: [.accept: "*/*", .userAgent: "t"])
    request.options.timeouts = .init(connect: nil, whole: nil)
    change(&request)
    return request
  }

  @Test("A simple request gives a short command line")
  func plain() {
    #expect(
      CurlCommand(request()).line
        == "curl --http2 -H 'Accept: */*' -H 'User-Agent: t' --url https://a.test/x")
  }

  @Test("The request's time limits are given in seconds")
  func timeouts() {
    let line = CurlCommand(
      request { $0.options.timeouts = .init(connect: .milliseconds(1050), whole: .seconds(20)) }
    ).line
    #expect(line.contains("--connect-timeout 1.050 --max-time 20 "))
  }

  @Test("Content codings are requested as in the request, and decoded for the terminal")
  func compressed() {
    for (field, isDecoded) in [("gzip, br", true), ("identity", false)] {
      let line = CurlCommand(request { $0.head.headerFields[.acceptEncoding] = field }).line
      #expect(line.contains(" --compressed ") == isDecoded)
      #expect(line.contains("-H 'Accept-Encoding: \(field)'"))
    }
    #expect(!CurlCommand(request()).line.contains("--compressed"))
  }

  @Test("HTTP/2 is requested over TLS only, where no upgrade is needed")
  func http2() {
    #expect(CurlCommand(request()).line.contains("--http2"))
    #expect(!CurlCommand(request { $0.head.scheme = "http" }).line.contains("--http2"))
  }

  @Test("An IPv6 connect target is written in brackets")
  func connectTarget() {
    let line = CurlCommand(request { $0.context.connectTarget = .init(address: "::1", port: 8443) }).line
    #expect(line.contains("--connect-to '::[::1]:8443' "))
  }

  @Test("A body that isn't in memory is read from standard input, unless it is hidden")
  func streams() {
    let streamed = request {
      $0.head.method = .post
      $0.body = .once(length: nil, ScriptedByteSource([[1]]))
    }
    let command = CurlCommand.unsafeUnredacted(streamed)
    #expect(command.readsStandardInput)
    #expect(command.line.contains("--data-binary @-"))
    #expect(!CurlCommand(streamed).readsStandardInput)
    #expect(CurlCommand(streamed).line.contains("--data-raw REDACTED"))
  }

  @Test("A body of more than 1 MiB isn't part of the command line")
  func largeBody() {
    let command = CurlCommand.unsafeUnredacted(
      request {
        $0.head.method = .post
        $0.body = .bytes(Array(repeating: 0, count: (1 << 20) + 1))
      })
    #expect(command.readsStandardInput)
    #expect(command.line.utf8.count < 300)
  }

  @Test("Spaces in a path, which curl rejects, are escaped")
  func spaces() {
    let line = CurlCommand(request { $0.head.path = "/a b\tc" }).line
    #expect(line.hasSuffix(" --url https://a.test/a%20b%09c"))
  }

  @Test("A request target that isn't a path is passed unchanged")
  func asterisk() {
    let line = CurlCommand(
      request {
        $0.head.method = .options
        $0.head.path = "*"
      }
    ).line
    #expect(line.hasSuffix("--request-target '*' --url https://a.test/"))
  }

  @Test(
    "A scheme, which is any text, neither becomes an option nor names a file",
    arguments: [
      ("-o/etc/passwd", "--url -o/etc/passwd://a.test/x"), ("--config", "--url --config://a.test/x"),
      ("-K x", "--url -k%20x://a.test/x"), ("@/etc/passwd", "--url %40/etc/passwd://a.test/x"),
      ("", "--url ://a.test/x"),
    ])
  func schemes(_ scheme: String, end: String) {
    #expect(CurlCommand(request { $0.head.scheme = scheme }).line.hasSuffix(" " + end))
  }

  @Test("Every other value that a caller chooses follows an option, so that a hyphen does not make it one")
  func hyphens() throws {
    let method = try #require(HTTPRequest.Method("-o"))
    let name = try #require(HTTPField.Name("-H"))
    let request = request {
      $0.head.method = method
      $0.head.path = "-K/etc/passwd"
      $0.head.headerFields[name] = "@/etc/hostname"
      $0.body = .text("@/etc/hostname")
    }
    let line = CurlCommand.unsafeUnredacted(request).line
    for words in [
      " -X -o ", " -H '-H: @/etc/hostname' ", " --data-raw @/etc/hostname ",
      " --request-target -K/etc/passwd ",
    ] {
      #expect(line.contains(words), "\(words) in \(line)")
    }
    #expect(line.hasSuffix(" --url https://a.test/"))
  }
}
