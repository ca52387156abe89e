import Foundation
import Testing

/// What the program prints about requests and about itself: commands of curl, explanations, the manual page
/// and completions.
@Suite(.timeLimit(.minutes(5)))
struct CommandLineTests {
  /// A server that answers with the request that it received, after its head and its content have arrived.
  private static func echo(in folder: ScratchFolder) async throws -> (server: ServerProgram, url: String) {
    let port = try Loopback.freePorts(1)[0]
    let code = """
      import http.server
      class Echo(http.server.BaseHTTPRequestHandler):
        def do(self):
          body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
          fields = sorted(f"{name}: {value}" for name, value in self.headers.items())
          text = "\\n".join([self.requestline] + fields).encode() + b"\\n\\n" + body
          self.send_response(200)
          self.send_header("Content-Length", str(len(text)))
          self.end_headers()
          self.wfile.write(text)
        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do
      http.server.ThreadingHTTPServer(("127.0.0.1", \(port)), Echo).serve_forever()
      """
    let server = try await ServerProgram(
      ["/usr/bin/python3", "-c", code], ports: [port], log: folder.path("log"))
    return (server, "http://127.0.0.1:\(port)")
  }

  @Test("The command of --as-curl sends what the program sends, byte for byte, when it is run")
  func asCurl() async throws {
    let folder = try ScratchFolder()
    let (server, url) = try await Self.echo(in: folder)
    try folder.write("line\r\n'quoted' \u{0} $HOME", to: "it's a file")
    let file = folder.path("it's a file")
    for arguments in [
      ["get", "\(url)/a?b=c'd&e=$HOME!"], ["get", url + "/", "-H", "X-Empty;", "-H", "Accept: text/html"],
      ["get", url + "/", "-H", "Authorization: Bearer secret", "-H", "User-Agent: it's \"me\""],
      ["post", url + "/", "--json", #"{"a": "it's\n!"}"#], ["post", url + "/", "--file", file],
      ["send", "PUT", url + "/", "--json", "@\(file)"],
      ["post", url + "/", "--form", "a=1 & 2", "--form", "b=ü"],
      ["send", "DELETE", url + "/x/../y[1]"],
      [
        "get", "http://named.test:\(url.split(separator: ":")[2])/",
        "--resolve", "named.test:127.0.0.1",
      ], ["send", "PATCH", url + "/"], ["post", url + "/"],
    ] {
      let ours = try await RunningProgram([RunningProgram.tool] + arguments).outcome()
      let command = try await RunningProgram(
        [RunningProgram.tool] + arguments + ["--as-curl", "--show-secrets"]
      ).outcome()
      #expect(command.status == 0, "\(command)")
      #expect(command.output.split(separator: "\n").count == 1)
      let theirs = try await RunningProgram.shell(
        command.output.replacing("curl ", with: "curl -q -sS ", maxReplacements: 1))
      #expect(ours.output == theirs.output, "\(command.output)\(theirs.errors)")
      #expect(!ours.output.isEmpty)
    }
    server.stop()
  }

  @Test("Parts of a form that curl sends have the same names and contents")
  func parts() async throws {
    let folder = try ScratchFolder()
    let (server, url) = try await Self.echo(in: folder)
    try folder.write("content", to: "a;b\".txt")
    let arguments = ["post", url + "/", "--form", "n=<v", "--form", "f=@\(folder.path("a;b\".txt"))"]
    let command = try await RunningProgram(
      [RunningProgram.tool] + arguments + ["--as-curl", "--show-secrets"]
    ).outcome()
    let theirs = try await RunningProgram.shell(
      command.output.replacing("curl ", with: "curl -q -sS ", maxReplacements: 1))
    #expect(theirs.output.contains("name=\"n\"\r\n\r\n<v\r\n"))
    #expect(theirs.output.contains("name=\"f\"; filename=\"a;b"))
    #expect(theirs.output.contains("\r\n\r\ncontent\r\n"))
    server.stop()
  }

  @Test("The command of --as-curl hides secrets and says so, sends nothing, and reads no input")
  func hiddenSecrets() async throws {
    let closed = "http://127.0.0.1:\(try Loopback.freePorts(1)[0])/"
    let command = try await RunningProgram.tool(
      "post", closed + "?token=secret", "-H", "Authorization: secret", "--json", #"{"password": "secret"}"#,
      "--as-curl")
    #expect(command.status == 0)
    #expect(command.output.hasPrefix("curl "))
    #expect(!command.output.contains("secret"))
    #expect(command.errors == "switchyard: 3 values hidden as REDACTED; --show-secrets shows all\n")
    let piped = try await RunningProgram.tool("post", closed, "--json", "-", "--as-curl", input: "secret")
    #expect(piped.output.contains("--data-binary @-"))
    #expect(!piped.output.contains("secret"))
    for option in ["--trace", "--explain", "--show-secrets"] {
      let others = option == "--show-secrets" ? [] : ["--as-curl"]
      let wrong = try await RunningProgram([RunningProgram.tool, "get", closed, option] + others).outcome()
      #expect(wrong.status == 64, "\(option)")
    }
  }

  @Test(
    "An explanation says address, protocol, redirect, retry and cache, one sentence each, without secrets")
  func explanation() async throws {
    let folder = try ScratchFolder()
    let (server, url) = try await ServerProgram.answering(
      #"""
      (b"HTTP/1.1 302 Found\r\nLocation: /end?token=secret\r\nContent-Length: 0\r\n\r\n" if b"/start" in line else
       b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n" if b"/busy" in line else
       b"HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 2\r\n\r\nok")
      """#.replacing("\n", with: " "), log: folder.path("log"))
    let moved = try await RunningProgram.tool(
      "get", url + "/start", "--explain", "--cache", folder.path("cache"))
    #expect(moved.output == "ok")
    let lines = moved.errors.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasSuffix(", because the URL names the address.") == true, "\(moved)")
    #expect(
      lines.contains {
        $0.hasPrefix("Redirected to \(url)/end?token=██, because the server responded with 302.")
      })
    #expect(lines.contains { $0.hasPrefix("The cache: stored; ") })
    #expect(!moved.errors.contains("secret"))
    let busy = try await RunningProgram.tool("get", url + "/busy", "--explain", "--retry", "1")
    #expect(busy.errors.contains("Sent again as attempt 2 after a pause of "))
    #expect(busy.errors.contains(", because the server responded with 503.\n"))
    #expect(busy.errors.hasSuffix("Not sent again: it was the last attempt that --retry allows.\n"))
    let hit = try await RunningProgram.tool(
      "get", url + "/end?token=secret", "--explain", "--cache", folder.path("cache"))
    #expect(hit.errors.hasPrefix("Nothing was sent: the cache had the response.\n"), "\(hit)")
    server.stop()
  }

  @Test("The waterfall is written as SVG, whole, also if the request fails")
  func drawing() async throws {
    let folder = try ScratchFolder()
    let closed = "http://127.0.0.1:\(try Loopback.freePorts(1)[0])/"
    let failed = try await RunningProgram.tool("get", closed, "--trace-svg", folder.path("trace.svg"))
    #expect(failed.status == 7)
    let svg = try folder.text("trace.svg")
    #expect(svg.hasPrefix("<svg "))
    #expect(svg.hasSuffix("</svg>\n"))
    #expect(svg.contains("→ connect</text>"))
    let parsed = try await RunningProgram(
      [
        "/usr/bin/python3", "-c", "import sys, xml.dom.minidom as x; x.parse(sys.argv[1])",
        folder.path("trace.svg"),
      ]
    ).outcome()
    #expect(parsed.status == 0, "\(parsed)")
  }

  @Test("The manual page has each command with each of its options, and man renders it without a warning")
  func manual() async throws {
    let folder = try ScratchFolder()
    let page = try await RunningProgram.tool("manual")
    #expect(page.status == 0)
    try folder.write(page.output, to: "switchyard.1")
    let rendered = try await RunningProgram.shell(
      "MANWIDTH=200 LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l switchyard.1 | col -b", in: folder)
    #expect(rendered.status == 0)
    #expect(rendered.errors == "")
    for command in ["get", "post", "send", "download", "bench", "cookies", "deploy write"] {
      #expect(rendered.output.contains("switchyard \(command)"), "\(command)")
      let help = try await RunningProgram.shell(#""$TOOL" \#(command) --help"#).output
      for match in help.matches(of: /\n {2}(?:-[A-Za-z], )?(--[a-z0-9-]+)/)
      where match.1 != "--version" && match.1 != "--help" {
        #expect(rendered.output.contains(match.1), "\(command) \(match.1)")
      }
    }
    #expect(!(try await RunningProgram.tool("--help").output.contains("\n  manual")))
  }

  @Test(
    "Completions are produced for each shell with every command and the values of --color; bash loads its own"
  )
  func completions() async throws {
    let folder = try ScratchFolder()
    for shell in ["bash", "zsh", "fish"] {
      let script = try await RunningProgram.tool("--generate-completion-script", shell)
      #expect(script.status == 0)
      for word in ["download", "as-curl", "trace-svg", "always"] {
        #expect(script.output.contains(word), "\(shell): \(word)")
      }
      try folder.write(script.output, to: shell)
    }
    let loaded = try await RunningProgram.shell("set -e; source ./bash; complete -p switchyard", in: folder)
    #expect(loaded.status == 0, "\(loaded)")
    #expect(loaded.output.contains("switchyard"))
  }
}
