import Testing

@testable import RequestFiles

@Suite(.timeLimit(.minutes(5))) struct HurlParserTests {
  @Test("A file has requests with their parts, in order, among comments and empty lines")
  func structure() throws {
    let file = try CheckedEntry.file(
      """
      # A comment
      GET https://x.test/a#top # the first one
      Accept: */*   # any
      X-Hash: a\\#b
      [QueryStringParams]
      q: 1 2

      [Cookies]
      theme: light
      HTTP/2 200
      Content-Type: text/plain
      [Captures]
      token: header "X-Token" redact
      [Asserts]
      status < 300

      POST https://x.test/{{id}}
      {"a": [1, {"b": "}"}]}
      HTTP *
      DELETE https://x.test
      """)
    #expect(file.entries.map(\.method) == ["GET", "POST", "DELETE"])
    let first = try #require(file.entries.first)
    #expect(first.url.plainText == "https://x.test/a#top")
    #expect(first.fields.map(\.value.plainText) == ["*/*", "a#b"])
    #expect(first.query.map(\.plainName) == ["q"])
    #expect(first.cookies.map(\.plainName) == ["theme"])
    #expect(first.expectation?.version?.text == "HTTP/2")
    #expect(first.expectation?.status?.code == 200)
    #expect(first.expectation?.captures.map(\.isSecret) == [true])
    #expect(first.expectation?.assertions.count == 1)
    #expect(file.entries[1].expectation?.status == nil)
    #expect(file.entries[2].expectation == nil)
    #expect(
      file.entries.map(file.title) == [
        "GET https://x.test/a#top", "POST https://x.test/{{id}}", "DELETE https://x.test",
      ])
  }

  @Test(
    "A body is text, JSON, XML, bytes or a file",
    arguments: [
      ("{\"a\": \"{{id}}\", \"n\": {{n}}}", "{\"a\": \"7\\\"\", \"n\": 5}", "application/json"),
      ("[true]", "[true]", "application/json"),
      ("\"text\"", "\"text\"", "application/json"), ("12", "12", "application/json"),
      ("```\na {{n}}\n```", "a 5\n", nil),
      ("```a```", "a", nil), ("``````", "", nil), ("```json\n{}\n```", "{}\n", "application/json"),
      ("```raw,novariable\n{{n}}\n```", "{{n}}\n", nil), ("```raw,escape\na\\tb```", "a\tb", nil),
      ("`one {{n}}`", "one 5", nil),
      ("```graphql\n{ a }\n```", "{\"query\":\"{ a }\\n\"}", "application/json"), ("hex,61 62;", "ab", nil),
      ("base64,YW\nI=;", "ab", nil), ("file,data.bin;", "<data.bin>", nil),
      ("file,{{n}}.bin;", "<5.bin>", nil),
      (
        "<?xml version=\"1.0\"?>\n<a><!-- > --><b c=\"{{n}}\"/></a>",
        "<?xml version=\"1.0\"?>\n<a><!-- > --><b c=\"5\"/></a>", "application/xml"
      ),
    ] as [(String, String, String?)])
  func bodies(text: String, content: String, type: String?) throws {
    let request = try CheckedEntry.request(
      "POST http://x\nX: y\n\(text) # comment\nHTTP 200", variables: ["id": .text("7\""), "n": .integer(5)])
    #expect(request.contentText == content)
    guard case .pieces(_, let contentType)? = request.content else {
      Issue.record("no content")
      return
    }
    #expect(contentType == type)
  }

  @Test("Forms, users, cookies and queries are encoded, and options are obeyed")
  func sections() throws {
    let request = try CheckedEntry.request(
      """
      POST http://x/?a=1
      [Query]
      b c: ü&
      [Form]
      name: A B
      [Cookies]
      one: 1
      two: {{n}}
      [BasicAuth]
      bob: {{pw}}
      [Options]
      location: true
      retry: {{n}}
      retry-interval: 50ms
      max-time: 2
      variable: later=x
      header: X-Extra: y
      """, variables: ["n": .integer(5)], secrets: ["pw": "sesame"])
    #expect(request.url == "http://x/?a=1&b%20c=%C3%BC%26")
    #expect(request.field("Cookie") == "one=1; two=5")
    #expect(request.field("Authorization") == "Basic Ym9iOnNlc2FtZQ==")
    #expect(request.field("X-Extra") == "y")
    #expect(request.options.followsRedirects == true)
    #expect(request.options.retries == 5)
    #expect(request.options.retryInterval == .milliseconds(50))
    #expect(request.options.maximumTime == .seconds(2))
    guard case .form(let fields)? = request.content else {
      Issue.record("no form")
      return
    }
    #expect(fields.map(\.name) == ["name"])
    #expect(fields.map(\.value) == ["A B"])
  }

  @Test("A multipart form has texts and files with their media types")
  func multipart() throws {
    let request = try CheckedEntry.request(
      "POST http://x\n[Multipart]\na: text # comment\nb: file,c.bin;\nd: file,e f.zip; application/zip\n")
    guard case .multipart(let parts)? = request.content else {
      Issue.record("no form")
      return
    }
    let shown = parts.map { part in
      switch part.content {
      case .text(let text): "\(part.name)=\(text)"
      case .file(let name, let type, _): "\(part.name)=<\(name)> \(type ?? "-")"
      }
    }
    #expect(shown == ["a=text", "b=<c.bin> -", "d=<e f.zip> application/zip"])
  }

  @Test(
    "A mistake has a fault with its line, its column and the remedy",
    arguments: [
      ("get http://x", "1:1: A request begins with a method"), ("GET", "1:1: A request begins"),
      ("GET http://x\n[Nope]", "2:1: There is no section [Nope]; known are [Query]"),
      ("GET http://x\nHTTP 200\n[Query]", "3:1: [Query] belongs to a request"),
      ("GET http://x\n[Asserts]", "2:1: [Asserts] belongs to a response"),
      ("GET http://x\n[Query]\na: b\n[QueryStringParams]", "4:1: There are two sections [QueryStringParams]"),
      ("GET http://x\nHTTP 20", "2:6: A status is a number"),
      ("GET http://x\nHTTP/9 200", "2:1: \"HTTP/9\" is no version"),
      (
        "GET http://x\nHTTP/1.0 200",
        "2:1: \"HTTP/1.0\" is no version that can be expected; write HTTP for any"
      ),
      ("GET http://x\nHTTP 200\n[Asserts]\nstat == 1", "4:1: There is no query \"stat\""),
      ("GET http://x\nHTTP 200\n[Asserts]\nstatus is 1", "4:8: There is no filter or predicate \"is\""),
      ("GET http://x\nHTTP 200\n[Asserts]\nstatus", "4:7: The query is followed by no predicate"),
      ("GET http://x\nHTTP 200\n[Asserts]\nstatus == ok", "4:11: == is followed by a value"),
      ("GET http://x\nHTTP 200\n[Asserts]\nxpath \"//a\" exists", "4:1: xpath is not supported; use regex"),
      ("GET http://x\nHTTP 200\n[Asserts]\njsonpath \"$.a[\" exists", "4:15: The JSONPath is malformed"),
      ("GET http://x\nHTTP 200\n[Asserts]\nbody matches /a(b/", "4:18: The pattern is malformed"),
      ("GET http://x\nHTTP 200\n[Asserts]\nheader X exists", "4:8: header is followed by a text in quotes"),
      ("GET http://x\nHTTP 200\n[Asserts]\nbody == \"a", "4:9: A text has no quote at its end"),
      ("GET http://x\nHTTP 200\n[Asserts]\nstatus == 1 2", "4:13: \"2\" follows the predicate"),
      ("GET http://x\nHTTP 200\n[Captures]\na: body nope", "4:9: There is no filter \"nope\""),
      ("GET http://x\nHTTP 200\n[Captures]\na b: body", "4:1: The name of a variable"),
      ("GET http://x\n[Options]\ninsecure: true", "3:1: insecure is not supported"),
      ("GET http://x\n[Options]\nretry: -1", "3:8: retry is a number from 0 to 10000"),
      ("GET http://x\n[Options]\ndelay: 2d", "3:8: delay is a time of at most an hour"),
      ("GET http://x\n[Options]\nnope: 1", "3:1: The option \"nope\" is not supported"),
      ("GET http://x\n{\"a\": 1,}", "2:9: The body is no JSON"),
      ("GET http://x\n{\"a\": 1", "2:1: The JSON has no end"),
      ("GET http://x\n```\na", "2:1: A text has no ``` at its end"),
      ("GET http://x\n```yaml\na```", "2:4: There is no kind of text \"yaml\""),
      ("GET http://x\nhex,abc;", "2:1: hex, is followed by pairs"),
      ("GET http://x\nfile,a", "2:1: A file is file,NAME;"),
      ("GET http://x\n<a><b></a>", "2:1: The XML has no end"),
      ("GET http://x/{{a", "1:14: A placeholder is {{name}}"),
      ("GET http://x\nX: \\q", "2:4: This escape is not known"),
      ("GET http://x\n[Form]\na: b\n{}", "4:1: The request has a form and a body"),
      ("GET http://x\nnonsense", "2:1: This line is none of"),
    ])
  func faults(text: String, beginning: String) {
    #expect(CheckedEntry.fault(text).hasPrefix(beginning), "\(CheckedEntry.fault(text))")
  }

  @Test("Deep, long and binary files have a fault instead of a crash")
  func limits() {
    let deep = "GET http://x\n" + String(repeating: "[", count: 100_000)
    #expect(CheckedEntry.fault(deep).contains("nested more than 256 deep"))
    let many = String(repeating: "GET http://x\n", count: 10_001)
    #expect(CheckedEntry.fault(many).contains("more than 10000 requests"))
    #expect {
      _ = try SourceText(name: "x", bytes: Array(repeating: 0x20, count: SourceText.maximumBytes + 1))
    } throws: {
      ($0 as? FileFault)?.message.contains("more than 4 MiB") == true
    }
    for bytes: [UInt8] in [[0x47, 0x0A, 0xFF, 0x41], [0x47, 0x0A, 0x00]] {
      #expect {
        _ = try SourceText(name: "x", bytes: bytes)
      } throws: {
        ($0 as? FileFault)?.message.hasPrefix("Line 2 is not text") == true
      }
    }
  }

  @Test("A fault is shown with its line and a caret, and a long line is cut around it")
  func report() throws {
    let source = SourceText(name: "a.hurl", text: "GET http://x\r\n\tHTTP 20\r\n")
    #expect(
      source.report(FileFault("Wrong.", at: Span(start: 20, end: 22))) == [
        "a.hurl:2:7: Wrong.", " 2 |  HTTP 20", "   |       ^^",
      ])
    let long = SourceText(name: "b", text: String(repeating: "x", count: 100_000))
    let lines = long.report(FileFault("Wrong.", at: Span(start: 50_000, end: 50_001)))
    #expect(lines.allSatisfy { $0.count < 120 })
    #expect(lines[0] == "b:1:50001: Wrong.")
    #expect(SourceText(name: "c", text: "").report(FileFault("Empty.", at: .start)).first == "c:1:1: Empty.")
  }
}
