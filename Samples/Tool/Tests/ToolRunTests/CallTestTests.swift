import CurlTransport
import Foundation
import Inspection
import Interception
import Switchyard
import Testing

/// The tests that the command `test` writes, which are compiled and run.
@Suite(.timeLimit(.minutes(10))) struct CallTestTests {
  private static let secret = "hunter2-is-a-secret"

  @Test("L7: A call seen in the inspector becomes a test that compiles and reproduces it")
  func inspectedCall() async throws {
    let folder = try ScratchFolder()
    let file = folder.path("calls.sqlite")
    try await Self.sendCalls(keptIn: file, folder)
    let list = try await RunningProgram.tool("test", file, "--list")
    #expect(list.status == 0, "\(list)")
    let lines = list.output.split(separator: "\n").map { $0.replacing(/:[0-9]+\//, with: "/") }
    #expect(
      lines == [
        "1  POST http://127.0.0.1/homes?city=GALT&token=REDACTED → 200",
        "2  GET http://127.0.0.1/busy → 503, after 503, 503",
        "3  GET http://127.0.0.1/moved → 200, after 302",
        "4  GET http://127.0.0.1/cut → transport",
        "5  GET http://127.0.0.1/denied → rejected, after 200",
        "6  GET http://127.0.0.1/refused → connect",
      ])

    let written = try ScratchFolder()
    let numbers = (1...6).flatMap { ["--call", String($0)] }
    let outcome = try await RunningProgram(
      [RunningProgram.tool, "test", file, "--out", written.path] + numbers
    ).outcome()
    try #require(outcome.status == 0, "\(outcome)")
    let names = [
      "GetBusy503", "GetCutTransport", "GetDenied200", "GetMoved200", "GetRefusedConnect", "PostHomes200",
    ]
    #expect(written.names == ["Cassettes"] + names.map { "\($0)Tests.swift" })
    #expect(written.names(in: "Cassettes") == names.map { "\($0).json" })
    for name in written.names where name != "Cassettes" {
      #expect(try !written.text(name).contains(Self.secret))
    }
    for name in written.names(in: "Cassettes") {
      #expect(try !written.text("Cassettes/\(name)").contains(Self.secret))
    }
    let code = try written.text("PostHomes200Tests.swift")
    #expect(code.contains("// - the request lacks the fields Authorization"), "\(code)")
    let denied = try written.text("GetDenied200Tests.swift")
    #expect(denied.contains("// - the caller got rejected, which no server sent"), "\(denied)")

    let tests = try await WrittenTests(in: written)
    let passed = try await tests.run()
    #expect(passed.status == 0, "\(passed)")
    #expect(passed.everything.contains("Test run with 6 tests"), "\(passed)")

    // The tests fail as soon as the servers' answers differ.
    for (name, old, new) in [
      ("GetBusy503", #""status" : 503"#, #""status" : 200"#), ("GetMoved200", "moved here", "moved there"),
      ("GetCutTransport", #""label" : "transport""#, #""label" : "connect""#),
    ] {
      let cassette = try written.text("Cassettes/\(name).json")
      try #require(cassette.contains(old), "\(cassette)")
      try written.write(cassette.replacing(old, with: new), to: "Cassettes/\(name).json")
      let failed = try await tests.run()
      #expect(failed.status != 0)
      #expect(failed.everything.contains("Suite \(name)Tests failed"), "\(failed)")
      try written.write(cassette, to: "Cassettes/\(name).json")
    }
  }

  /// Sends calls to a server, through the standard chain with an inspector that keeps them.
  private static func sendCalls(keptIn file: String, _ folder: ScratchFolder) async throws {
    let ok = #"b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\nContent-Type: text/plain\r\n\r\nmoved here""#
    let (server, url) = try await ServerProgram.answering(
      #"""
      b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n" if b"/busy" in line else \
            b"HTTP/1.1 302 Found\r\nLocation: /here\r\nContent-Length: 0\r\n\r\n" if b"/moved" in line else \
            b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhalf" if b"/cut" in line else \
            \#(ok)
      """#, log: folder.path("server.log"))
    let inspector = Inspector(
      app: "Test", redaction: Redaction(showingQueryValuesOf: ["city"]), showsOtherBodies: true)
    try inspector.keepCalls(in: file)
    let quick = RetryPolicy(backOff: RetryBackOff(base: .milliseconds(1), cap: .milliseconds(2)))
    let pipeline = try Pipeline.standard(
      over: CurlDispatcher(), retry: RetryInterceptor(quick), adding: [Denial()], observers: [inspector])
    var post = try Request("\(url)/homes?city=GALT&token=\(secret)", method: .post)
    post.head.headerFields[.authorization] = "Bearer \(secret)"
    post.head.headerFields[.contentType] = "application/json"
    post.body = .bytes(Array(#"{"password":"\#(secret)","beds":[1,2]}"#.utf8))
    #expect(try await pipeline.send(post).status == .ok)
    #expect(try await pipeline.send(Request("\(url)/busy")).status == .serviceUnavailable)
    #expect(try await pipeline.send(Request("\(url)/moved")).status == .ok)
    var once = try Request("\(url)/cut")
    once.context.retryPolicy = .never
    _ = await #expect(throws: NetworkError.self) { try await pipeline.send(once) }
    _ = await #expect(throws: NetworkError.self) { try await pipeline.send(Request("\(url)/denied")) }
    server.stop()
    var refused = try Request("\(url)/refused")
    refused.context.retryPolicy = .never
    _ = await #expect(throws: NetworkError.self) { try await pipeline.send(refused) }
    await inspector.stop()
  }

  @Test("The calls of an archive, with all kinds of failures and contents, become tests that pass")
  func archive() async throws {
    let folder = try ScratchFolder()
    let image = Data([0x89, 0x50, 0, 0xFF]).base64EncodedString()
    let long = String(repeating: "a long text ", count: 400)
    let entries =
      [
        Self.entry(
          "https://a.test/old", status: 301, response: #""headers":[{"name":"Location","value":"/new"}]"#),
        Self.entry("https://a.test/new", text: "<p>\\\"new\\\" \\\\(\\u0007)</p>"),
        Self.entry("https://a.test/image", text: image, encoding: "base64"),
        Self.entry("https://a.test/long", text: long),
        Self.entry("https://a.test/login", method: "POST", status: 401, request: Self.login),
        Self.entry("https://a.test/purge", method: "PURGE", status: 204),
        Self.entry("https://a.test/upload", method: "PUT", status: 201, request: Self.upload),
        // An interceptor of the app has logged in between them.
        Self.entry("https://a.test/mine", status: 401, comment: "request 7, attempt 1"),
        Self.entry("https://a.test/mine", text: "mine", comment: "request 7, attempt 2"),
      ]
      + [
        "ERR_CONNECTION_REFUSED", "ERR_NAME_NOT_RESOLVED", "ERR_CERT_COMMON_NAME_INVALID", "ERR_TIMED_OUT",
        "ERR_SSL_PROTOCOL_ERROR", "ERR_EMPTY_RESPONSE",
      ].map { Self.entry("https://a.test/\($0)", status: 0, response: #""_error":"net::\#($0)""#) }
    try folder.write(#"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#, to: "run.har")
    let written = try ScratchFolder()
    let outcome = try await RunningProgram.tool(
      "test", folder.path("run.har"), "--url", "a[.]test", "--out", written.path, "--bodies")
    try #require(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains("GET https://a.test/old → 200, after 301\n"), "\(outcome)")
    #expect(outcome.output.contains("ERR_CERT_COMMON_NAME_INVALID → tls_nameMismatch\n"), "\(outcome)")
    #expect(try written.bytes("Cassettes/GetImage200.response") == [0x89, 0x50, 0, 0xFF])
    #expect(try written.text("Cassettes/GetLong200.response") == long)
    #expect(try written.text("Cassettes/PutUpload201.request") == Self.uploaded)
    for field in ["Cookie", "X-Own-Signature"] {
      #expect(try written.text("PostLogin401Tests.swift").contains(field))
    }
    let passed = try await WrittenTests(in: written).run()
    #expect(passed.status == 0, "\(passed)")
    #expect(passed.everything.contains("Test run with 13 tests"), "\(passed)")
    #expect(outcome.output.contains("a.test/mine → 200, after 401\n  over a chain without"), "\(outcome)")
    #expect(try written.text("GetMine200Tests.swift").contains("Only the exchange that decided is replayed"))
    for name in written.names(in: "Cassettes") {
      #expect(try !written.text("Cassettes/\(name)").contains(Self.secret), "\(name)")
    }
  }

  private static let login = """
    "headers":[{"name":"Cookie","value":"id=\(secret)"},{"name":"X-Own-Signature","value":"\(secret)"}],
    "postData":{"mimeType":"application/json","text":"{\\"user\\":\\"ann\\"}"}
    """

  private static let uploaded = String(repeating: "0123456789", count: 300)
  private static let upload = #""headers":[],"postData":{"mimeType":"text/plain","text":"\#(uploaded)"}"#

  private static func entry(
    _ url: String, method: String = "GET", status: Int = 200, request: String = #""headers":[]"#,
    response: String = #""headers":[]"#, text: String = "", encoding: String = "",
    comment: String = ""
  ) -> String {
    """
    {"startedDateTime":"2026-11-06T08:49:37.250Z","request":{"method":"\(method)","url":"\(url)",\(request)},
     "response":{"status":\(status),\(response),
     "content":{"size":\(text.count),"mimeType":"text/html","text":"\(text)","encoding":"\(encoding)"}},
     "comment":"\(comment)"}
    """
  }

  @Test("Contents of a browser's archive are hidden unless they are asked for, and the test says so")
  func hiddenContents() async throws {
    let folder = try ScratchFolder()
    let entry = Self.entry(
      "https://a.test/in?next=\(Self.secret)&page=2", method: "POST", request: Self.login,
      text: "<p>\(Self.secret)</p>")
    try folder.write(#"{"log":{"entries":[\#(entry)]}}"#, to: "run.har")
    let outcome = try await RunningProgram.tool(
      "test", "run.har", "--name", "Hidden", "--show-value", "page", in: folder)
    #expect(outcome.status == 0, "\(outcome)")
    let code = try folder.text("HiddenTests.swift")
    let cassette = try folder.text("Cassettes/Hidden.json")
    for text in [code, cassette, outcome.output] {
      #expect(!text.contains(Self.secret) && !text.contains("ann"), "\(text)")
      #expect(text.contains("/in?next=REDACTED&page=2"), "\(text)")
    }
    #expect(
      code.contains(
        """
        // - values of the query are hidden
        // - the request lacks the fields Cookie, X-Own-Signature
        // - values in the content of the request are hidden
        // - the content of the response is left out; --bodies writes it
        """), "\(code)")
  }

  @Test(
    "What names no call, is no recording or would be overwritten fails with its status, and writes nothing")
  func badInput() async throws {
    let folder = try ScratchFolder()
    let good = (1...2).map { Self.entry("https://a.test/\($0)", text: "x") }.joined(separator: ",")
    try folder.write(#"{"log":{"entries":[\#(good)]}}"#, to: "two.har")
    try folder.write(#"{"log":{"entries":[]}}"#, to: "empty.har")
    try folder.write("{}", to: "none.har")
    try folder.write("SQLite format 3\0 and no database", to: "none.sqlite")
    let cancelled = Self.entry("https://a.test/", status: 0, response: #""_error":"net::ERR_ABORTED""#)
    try folder.write(#"{"log":{"entries":[\#(cancelled)]}}"#, to: "cancelled.har")
    let before = folder.names
    let cases: [(words: [String], status: Int32, text: String)] = [
      (["absent.har"], 26, "No such file"), (["none.har"], 26, "is not HAR 1.2"),
      (["none.sqlite"], 26, "none.sqlite"), (["empty.har"], 64, "has no call"),
      (["two.har"], 64, "name some with --call, --url or --failed"),
      (["two.har", "--call", "3"], 64, "There is no call 3; the recording has 1 to 2"),
      (["two.har", "--url", "("], 64, "is no regular expression"),
      (["two.har", "--failed"], 64, "No call matches"),
      (["two.har", "--url", ".", "--name", "Same"], 64, "--name is for one call"),
      (["two.har", "--call", "1", "--name", "../x"], 64, "--name must be"),
      (["cancelled.har"], 1, "was cancelled by its caller"),
      (["two.har", "--call", "1", "--out", "/dev/null/x"], 23, "Cannot create the folder"),
      (["two.har", "--call", "1", "--out", "two.har"], 23, "Cannot create the folder"),
      (["cancelled.har", "--out", "new/tests"], 1, "was cancelled by its caller"),
      (["two.har", "--url", ".", "--name", "1x"], 64, "--name must be"),
    ]
    for (words, status, text) in cases {
      let outcome = try await RunningProgram([RunningProgram.tool, "test"] + words, in: folder).outcome()
      #expect(outcome.status == status, "\(words): \(outcome)")
      #expect(outcome.errors.contains(text), "\(words): \(outcome)")
      #expect(folder.names == before, "\(words)")
    }
  }

  @Test("The files of a test appear together or not at all, and replace others only if that is asked for")
  func files() async throws {
    let folder = try ScratchFolder()
    try folder.write(#"{"log":{"entries":[\#(Self.entry("https://a.test/", text: "x"))]}}"#, to: "one.har")
    let words = ["one.har", "--name", "One"]
    #expect(
      try await RunningProgram([RunningProgram.tool, "test"] + words, in: folder).outcome().status == 0)
    let code = try folder.text("OneTests.swift")
    try folder.write("\(code)// edited", to: "OneTests.swift")
    let refused = try await RunningProgram([RunningProgram.tool, "test"] + words, in: folder).outcome()
    #expect(refused.status == 23)
    #expect(refused.errors.contains("exists; replace it with --force"), "\(refused)")
    #expect(try folder.text("OneTests.swift").hasSuffix("// edited"))
    let forced = try await RunningProgram(
      [RunningProgram.tool, "test"] + words + ["--force"], in: folder
    ).outcome()
    #expect(forced.status == 0, "\(forced)")
    #expect(try folder.text("OneTests.swift") == code)
    #expect(folder.names(in: "Cassettes") == ["One.json"])

    // The code has no place, so the cassette has none either.
    try FileManager.default.createDirectory(
      atPath: folder.path("TwoTests.swift"), withIntermediateDirectories: true)
    let blocked = try await RunningProgram.tool(
      "test", "one.har", "--name", "Two", "--force", in: folder)
    #expect(blocked.status == 23)
    #expect(blocked.errors.contains("Cannot write"), "\(blocked)")
    #expect(folder.names(in: "Cassettes") == ["One.json"])
    #expect(folder.names == ["Cassettes", "OneTests.swift", "TwoTests.swift", "one.har"])
  }
}

/// Refuses a response, as a rule of an app may.
private struct Denial: Interceptor {
  let traits = InterceptorTraits(stage: .validation)

  func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    let response = try await next.dispatch(request)
    guard request.head.path != "/denied" else { throw NetworkError(.rejected, "The app denies it.") }
    return response
  }
}

extension ScratchFolder {
  /// The names of all files of a folder within this one.
  fileprivate func names(in name: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path(name))) ?? []).sorted()
  }
}

extension RunningProgram.Outcome {
  /// What the program wrote.
  fileprivate var everything: String { output + errors }
}
