import Foundation
import Testing

/// The command `run`, against httpbin and servers that answer as a test wants.
@Suite(.enabled(if: HTTPBin.runsSuites, "httpbin is not installed"), .timeLimit(.minutes(5)))
struct RequestFileTests {
  private static let passing = """
    GET {{base}}/cookies/set?theme=light
    HTTP 302
    [Captures]
    where: header "Location"
    [Asserts]
    cookie "theme" == "light"

    # The cookie of the first request is sent.
    GET {{base}}{{where}}
    HTTP/1.1 200
    Content-Type: application/json
    [Asserts]
    jsonpath "$.cookies.theme" == "light"

    POST {{base}}/post
    X-Where: {{where}}
    [Query]
    a: 1 & 2
    [BasicAuth]
    bob: {{pw}}
    {"n": {{n}}}
    HTTP 200
    [Asserts]
    jsonpath "$.json.n" == 5
    jsonpath "$.args.a" == "1 & 2"
    jsonpath "$.headers.Authorization" startsWith "Basic "

    GET {{base}}/redirect/2
    [Options]
    location: true
    HTTP 200
    [Asserts]
    url endsWith "/get"

    POST {{base}}/post
    [Multipart]
    text: hello
    data: file,data.txt; text/x-test
    HTTP 200
    [Asserts]
    jsonpath "$.form.text" == "hello"
    jsonpath "$.files.data" == "from a file"

    POST {{base}}/post
    [Form]
    a b: c&d
    HTTP 200
    [Asserts]
    jsonpath "$.form['a b']" == "c&d"

    GET {{base}}/bytes/100?seed=7
    HTTP 200
    [Asserts]
    bytes count == 100
    sha256 != hex,00;
    """

  @Test("A file whose assertions hold exits with 0, and writes the content of its last response")
  func passes() async throws {
    let (server, folder) = (try await HTTPBin(), try ScratchFolder())
    try folder.write(Self.passing, to: "pass.hurl")
    try folder.write("from a file", to: "data.txt")
    let arguments = ["--variable", "base=\(server.url)", "--variable", "n=5", "--secret", "pw=sesame"]
    let outcome = try await Self.run([folder.path("pass.hurl")] + arguments)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.bytes.count == 100)
    let summary = try await Self.run(
      [folder.path("pass.hurl"), "--test", "--report-junit", folder.path("report.xml")] + arguments)
    #expect(summary.output == "")
    #expect(summary.errors.contains("pass.hurl: passed, 7 requests in "))
    #expect(summary.errors.contains("1 file, 0 failed; 7 requests in "))
    #expect(try folder.text("report.xml").contains(#"tests="7" failures="0" errors="0" skipped="0""#))
  }

  @Test("A failed assertion exits with 1, names its place, and ends its file but not the others")
  func fails() async throws {
    let (server, folder) = (try await HTTPBin(), try ScratchFolder())
    try folder.write(
      "GET {{base}}/get\nHTTP 200\n[Asserts]\njsonpath \"$.args\" count == 1\n\nGET {{base}}/status/204\nHTTP 204\n",
      to: "fail.hurl")
    try folder.write("GET {{base}}/status/204\nHTTP 204\n", to: "pass.hurl")
    let outcome = try await Self.run(
      [
        "fail.hurl", "pass.hurl", "--variable", "base=\(server.url)", "--parallel", "2", "--test",
        "--report-junit",
        "report.xml",
      ], in: folder)
    #expect(outcome.status == 1)
    let lines = outcome.errors.split(separator: "\n").map(String.init)
    #expect(
      lines.prefix(3)
        == [
          "fail.hurl:4:25: The value is 0, but should be 1.", #" 4 | jsonpath "$.args" count == 1"#,
          "   |                         ^^^^",
        ][...], "\(outcome)")
    #expect(lines[3].hasPrefix("fail.hurl: failed, 1 request in "))
    #expect(lines[4].hasPrefix("pass.hurl: passed, 1 request in "))
    #expect(lines[5].hasPrefix("2 files, 1 failed; 2 requests in "))
    #expect(try folder.text("report.xml").contains(#"tests="3" failures="1" errors="0" skipped="1""#))
  }

  @Test("A file of an editor is sent with its names and variables, and follows redirects")
  func editors() async throws {
    let (server, folder) = (try await HTTPBin(), try ScratchFolder())
    try folder.write("from {{who}}", to: "body.txt")
    try folder.write(
      """
      @base = \(server.url)
      @who = me

      ### First
      # @name first
      GET {{base}}/redirect-to
        ?url=/anything/one

      ###
      POST {{base}}/anything/two
      X-First: {{first.response.body.$.url}}
      Content-Type: text/plain

      <@ body.txt
      """, to: "requests.http")
    let outcome = try await Self.run([folder.path("requests.http")])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains(#""data":"from me""#))
    #expect(outcome.output.contains("\(server.url)/anything/one"))
  }

  @Test("Files that are malformed are all reported, and nothing is sent")
  func malformed() async throws {
    let folder = try ScratchFolder()
    try folder.write("GET http://127.0.0.1:1\n[Nope]\n", to: "one.hurl")
    try folder.write("GET http://127.0.0.1:1\nnonsense\n", to: "two.http")
    try Data([0x47, 0x00]).write(to: URL(filePath: folder.path("three.hurl")))
    try folder.write("GET http://127.0.0.1:1\n", to: "good.hurl")
    let outcome = try await Self.run(["good.hurl", "one.hurl", "two.http", "three.hurl"], in: folder)
    #expect(outcome.status == 120)
    #expect(outcome.errors.contains("one.hurl:2:1: There is no section [Nope]"))
    #expect(outcome.errors.contains("two.http:2:1: This line is no header field"))
    #expect(outcome.errors.contains("three.hurl: Line 1 is not text in UTF-8"))
    #expect(outcome.errors.contains("3 files of requests can't be used; nothing was sent"))
    try folder.write("GET http://127.0.0.1:1/{{nope}}\n", to: "lacks.hurl")
    let lacks = try await Self.run(["lacks.hurl"], in: folder)
    #expect(lacks.status == 120)
    #expect(lacks.errors.contains("lacks.hurl:1:24: There is no variable \"nope\" here"))
    #expect(try await Self.run(["missing.hurl"], in: folder).status == 26)
  }

  @Test("Variables come from files and the command line, which precedes, and a fault shows no value")
  func variables() async throws {
    let (server, folder) = (try await HTTPBin(), try ScratchFolder())
    try folder.write("# variables\nbase=http://127.0.0.1:1\nn=5\n", to: "variables")
    let file = """
      POST {{base}}/post
      {"n": {{n}}}
      HTTP 200
      [Asserts]
      jsonpath "$.json.n" == {{n}}
      """
    let program = try RunningProgram(
      [
        RunningProgram.tool, "run", "-", "--test", "--variables-file", "variables", "--variable",
        "base=\(server.url)",
      ], input: Array(file.utf8), in: folder)
    let outcome = try await program.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.errors.hasPrefix("(standard input): passed, 1 request in "))
    try folder.write("n=5\nkey: secret\n", to: "variables")
    try folder.write(file, to: "a.hurl")
    let faulty = try await Self.run(["a.hurl", "--variables-file", "variables"], in: folder)
    #expect(faulty.status == 120)
    #expect(
      faulty.errors == "switchyard: variables: Line 2: This line is no variable; write it as name=value.\n")
    for arguments in [
      ["--variable", "n"], ["--variable", "a b=1"], ["--secret", "=x"], ["--parallel", "0"],
    ] {
      #expect(try await Self.run(["a.hurl"] + arguments, in: folder).status == 64)
    }
  }

  @Test("A request without a response has the exit status of its failure")
  func noResponse() async throws {
    let folder = try ScratchFolder()
    let port = try Loopback.freePorts(1)[0]
    try folder.write("GET http://127.0.0.1:\(port)\nHTTP 200\n", to: "a.hurl")
    let outcome = try await Self.run(["a.hurl", "--report-junit", "report.xml"], in: folder)
    #expect(outcome.status == 7)
    #expect(
      outcome.errors.hasPrefix(
        "a.hurl:1:5: There was no response: connect: 127.0.0.1:\(port) refused the connection; "
          + "check that the server runs and listens on port \(port).\n"), "\(outcome)")
    #expect(try folder.text("report.xml").contains(#"errors="1""#))
  }

  @Test("A request is repeated until its assertions hold, at most as often as its option says")
  func retries() async throws {
    let folder = try ScratchFolder()
    let (server, url) = try await ServerProgram.answering(
      #"b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n%02d" % (globals().__setitem__("count", globals().get("count", 0) + 1) or count)"#,
      log: folder.path("log"))
    let file = "GET \(url)\n[Options]\nretry: 5\nretry-interval: 1ms\nHTTP 200\n[Asserts]\nbody == \"03\"\n"
    try folder.write(file, to: "retry.hurl")
    let outcome = try await Self.run(["retry.hurl", "--test"], in: folder)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.errors.contains("retry.hurl: passed, 3 requests in "))
    let failing = try await Self.run(["retry.hurl", "--test"], in: folder)
    #expect(failing.status == 1)
    #expect(failing.errors.contains("6 requests in "))
    #expect(failing.errors.contains("The value is \"09\", but should be \"03\"."))
    server.stop()
  }

  @Test("A secret is in no output: failures, content, waterfall, archive and report")
  func secrets() async throws {
    let (server, folder) = (try await HTTPBin(), try ScratchFolder())
    try folder.write(
      """
      GET {{base}}/anything/{{key}}
      Authorization: Bearer {{key}}
      HTTP 200
      [Asserts]
      jsonpath "$.url" == "x"
      jsonpath "$.headers.Authorization" == "{{key}}"
      """, to: "secret.hurl")
    for arguments in [["--secret", "key=open-sesame/7"], ["--secret", "key"]] {
      let program = try RunningProgram(
        [
          RunningProgram.tool, "run", "secret.hurl", "--variable", "base=\(server.url)", "--trace", "--har",
          "run.har",
          "--report-junit", "report.xml",
        ] + arguments, environment: ["key": "open-sesame/7"], in: folder)
      let outcome = try await program.outcome()
      #expect(outcome.status == 1, "\(outcome)")
      #expect(outcome.errors.contains("/anything/██"))
      #expect(outcome.output.contains("Bearer ██"))
      for text in [outcome.output, outcome.errors, try folder.text("run.har"), try folder.text("report.xml")]
      {
        #expect(!text.contains("sesame"), "\(text)")
        #expect(text.contains("██"))
      }
    }
    let empty = try await Self.run(["secret.hurl", "--secret", "none"], in: folder)
    #expect(empty.status == 64)
  }

  @Test("A file outside of its folder is not sent, unless that is named")
  func fileRoot() async throws {
    let (server, folder) = (try await HTTPBin(), try ScratchFolder())
    try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: true)
    try folder.write("outside", to: "out.txt")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("in/link.txt"), withDestinationPath: folder.path("out.txt"))
    for name in ["../out.txt", folder.path("out.txt"), "link.txt"] {
      try folder.write("POST \(server.url)/post\nfile,\(name);\nHTTP 200\n", to: "in/a.hurl")
      let refused = try await Self.run(["in/a.hurl"], in: folder)
      #expect(refused.status == 120)
      #expect(refused.errors.contains("is outside of"), "\(refused)")
    }
    try folder.write("POST \(server.url)/post\nfile,out.txt;\nHTTP 200\n", to: "in/a.hurl")
    let sent = try await Self.run(["in/a.hurl", "--file-root", folder.path], in: folder)
    #expect(sent.status == 0, "\(sent)")
    #expect(sent.output.contains(#""data":"outside""#))
  }

  @Test("An interruption cancels the run, and leaves no report")
  func interrupted() async throws {
    let (server, folder) = (try await HTTPBin(), try ScratchFolder())
    try folder.write("GET \(server.url)/get\nHTTP 200\nGET \(server.url)/delay/10\n", to: "slow.hurl")
    try folder.write("GET \(server.url)/get\n", to: "fast.hurl")
    let program = try RunningProgram(
      [RunningProgram.tool, "run", "fast.hurl", "slow.hurl", "--test", "--report-junit", "report.xml"],
      in: folder)
    try await program.wait(until: "the first file has run") {
      program.errorsSoFar.contains("fast.hurl: passed")
    }
    program.send(SIGINT)
    let outcome = try await program.outcome()
    #expect(outcome.status == 130)
    #expect(outcome.errors.hasSuffix("switchyard: interrupted\n"))
    #expect(!folder.exists("report.xml"))
  }

  private static func run(
    _ arguments: [String], in folder: ScratchFolder? = nil
  ) async throws -> RunningProgram.Outcome {
    try await RunningProgram([RunningProgram.tool, "run"] + arguments, in: folder).outcome()
  }
}
