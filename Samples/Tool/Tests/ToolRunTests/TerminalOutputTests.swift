import Foundation
import Testing

/// What a terminal shows that a pipe does not, on a pseudo-terminal.
@Suite(.timeLimit(.minutes(5)))
struct TerminalOutputTests {
  /// A server that answers each request with a content of this type.
  private static func server(
    _ content: String, type: String, fields: String = "", in folder: ScratchFolder
  ) async throws -> (server: ServerProgram, url: String) {
    try folder.write(content, to: "content")
    let file = folder.path("content")
    let head = #"HTTP/1.1 200 OK\r\nContent-Type: \#(type)\r\n\#(fields)"#
    return try await ServerProgram.answering(
      #"(lambda c: b"\#(head)Content-Length: %d\r\n\r\n%b" % (len(c), c))(open("\#(file)", "rb").read())"#,
      log: folder.path("log"))
  }

  private static let rows = (0..<200).map { #"{"id":\#($0),"name":"Row \#($0)"}"# }.joined(separator: ",")
  private static let json = #"{"rows":[\#(rows)],"total":200}"#

  @Test("JSON has colours on a terminal and is folded to its height; a pipe and a file get its bytes")
  func json() async throws {
    let folder = try ScratchFolder()
    let (server, url) = try await Self.server(Self.json, type: "application/json", in: folder)
    let shown = try await RunningProgram.onTerminal("get", url)
    #expect(shown.status == 0)
    #expect(shown.output.contains("\u{1B}[34m\"total\"\u{1B}[0m: \u{1B}[36m200\u{1B}[0m"))
    let lines = shown.output.split(separator: "\r\n")
    #expect(lines.count <= 22, "\(shown)")
    #expect(lines.last?.contains("lines of 805; --all shows all, and so does a pipe") == true)
    let taller = try await RunningProgram.onTerminal("get", url, lines: 60)
    #expect(taller.output.split(separator: "\r\n").count > 50)
    let all = try await RunningProgram.onTerminal("get", url, "--all")
    #expect(all.output.split(separator: "\r\n").count == 805)

    #expect(try await RunningProgram.tool("get", url).output == Self.json)
    #expect(
      try await RunningProgram.tool("get", url, environment: ["CLICOLOR_FORCE": "1"]).output == Self.json)
    let saved = try await RunningProgram.onTerminal(
      "get", url, "-o", folder.path("file"), "--color", "always")
    #expect(saved.output == "")
    #expect(try folder.text("file") == Self.json)
    server.stop()
  }

  @Test(
    "--color and the environment decide about colours; without them JSON is still laid out",
    arguments: [([String], [String: String], Bool)]([
      ([], [:], true), (["--color", "never"], [:], false), (["--color", "always"], ["NO_COLOR": "1"], true),
      ([], ["NO_COLOR": "1"], false), ([], ["TERM": "dumb"], false),
      ([], ["TERM": "dumb", "CLICOLOR_FORCE": "1"], true),
    ]))
  func colours(options: [String], environment: [String: String], hasColours: Bool) async throws {
    let folder = try ScratchFolder()
    let (server, url) = try await Self.server(#"{"a":1}"#, type: "application/json", in: folder)
    let shown = try await RunningProgram.onTerminal(
      "get", "-i", url, options.first ?? "--color", options.last ?? "auto", environment: environment)
    #expect(shown.output.contains("\u{1B}[") == hasColours, "\(shown)")
    let plain = shown.output.replacing(/\u{1B}\[[0-9]*m/, with: "")
    #expect(plain.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"))
    #expect(plain.hasSuffix("\r\n\r\n{\r\n  \"a\": 1\r\n}\r\n"))
    server.stop()
  }

  @Test("With --color always a pipe gets colours too, and nothing is folded")
  func forced() async throws {
    let folder = try ScratchFolder()
    let (server, url) = try await Self.server(Self.json, type: "application/json", in: folder)
    let piped = try await RunningProgram.tool("get", url, "--color", "always")
    #expect(piped.output.split(separator: "\n").count == 805)
    #expect(piped.output.contains("\u{1B}[36m199\u{1B}[0m"))
    let head = try await RunningProgram.tool("get", "-i", url, "--color", "always")
    #expect(head.output.hasPrefix("\u{1B}[1mHTTP/1.1 200 OK\u{1B}[0m\n\u{1B}[36mContent-Type\u{1B}[0m: "))
    let wrong = try await RunningProgram.tool("get", url, "--color", "sometimes")
    #expect(wrong.status == 64)
    server.stop()
  }

  @Test("Escape sequences of the server, in fields, text, JSON and an error, reach no terminal")
  func escapes() async throws {
    let evil = "\u{1B}[2J\u{1B}]0;title\u{7}\u{9B}1m\u{202E}"
    for (type, content) in [
      ("text/plain", "before\(evil)after"), ("application/json", #"{"a\#(evil.dropFirst(14))":1}"#),
      ("application/json", "{\"a\": \"\(evil)\""),
    ] {
      let folder = try ScratchFolder()
      let (server, url) = try await Self.server(
        content, type: type, fields: #"X-Evil: a\xc2\x9b2Jb\r\nX-Turned: \xe2\x80\xae\r\n"#, in: folder)
      let shown = try await RunningProgram.onTerminal("get", "-i", url, "--color", "never")
      #expect(shown.status == 0)
      let isSafe = shown.output.unicodeScalars.allSatisfy { scalar in
        scalar == "\r" || scalar == "\n"
          || ![.control, .format].contains(scalar.properties.generalCategory)
      }
      #expect(isSafe, "\(type): \(shown)")
      #expect(shown.output.contains("\\u{202E}"))
      #expect(try await RunningProgram.tool("get", url).output == content)
      server.stop()
    }
  }

  @Test("Invalid JSON is shown as it is, with a remark, and JSON of more than 1 MiB as it arrives")
  func notLaidOut() async throws {
    let folder = try ScratchFolder()
    let (server, url) = try await Self.server(#"{"a": 1,}"#, type: "application/json", in: folder)
    let invalid = try await RunningProgram.onTerminal("get", url)
    #expect(
      invalid.output
        == "{\"a\": 1,}\r\nswitchyard: the content is not valid JSON, or nested too deeply, and is shown as it is\r\n"
    )
    server.stop()
    let large = "[\(String(repeating: "1,", count: 600_000))1]"
    let (other, otherURL) = try await Self.server(large, type: "application/json", in: folder)
    let shown = try await RunningProgram.onTerminal("get", otherURL)
    #expect(
      shown.output == large + "\r\nswitchyard: JSON of more than 1.0 MiB is shown as it is\r\n")
    other.stop()
  }

  @Test("A refusal explains itself on a terminal, and only there")
  func refusal() async throws {
    let folder = try ScratchFolder()
    let (server, url) = try await ServerProgram.answering(
      #"b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 30\r\nContent-Length: 4\r\n\r\nbusy""#,
      log: folder.path("log"))
    let shown = try await RunningProgram.onTerminal("get", url)
    #expect(shown.status == 0)
    #expect(
      shown.output
        == "switchyard: the server responded with 429 Too Many Requests\r\n  retry after: 30 s\r\n"
        + "  try: wait that long, or let --retry N do it\r\nbusy\r\n")
    let piped = try await RunningProgram.tool("get", url)
    #expect((piped.output, piped.errors) == ("busy", ""))
    server.stop()
  }
}
