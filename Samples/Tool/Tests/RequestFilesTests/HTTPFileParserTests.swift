import Testing

@testable import RequestFiles

@Suite(.timeLimit(.minutes(5))) struct HTTPFileParserTests {
  @Test("A file of an editor has requests between separators, with names, variables, comments and bodies")
  func structure() throws {
    let file = try CheckedEntry.file(
      """
      @host = x.test
      @base = https://{{host}}

      ### The first
      # @name login
      // another comment
      POST {{base}}/login?a=1
        &b=2 HTTP/1.1
      Content-Type: application/json
      # a comment among fields
      Authorization: Basic bob pass word

      {
        "a": "# no comment"
      }

      ###
      https://x.test/plain
      ### Named by its line
      # @no-redirect
      # @timeout 3
      GET https://x.test
      """, format: .http)
    #expect(file.entries.map(\.method) == ["POST", "GET", "GET"])
    #expect(file.entries.map(\.name) == ["login", nil, "Named by its line"])
    var environment = Environment(of: file, generators: CheckedEntry.generators)
    let requests = try file.entries.map { entry in
      try entry.prepared(try entry.options(in: &environment), in: &environment) { _, _ in "" }
    }
    #expect(
      requests.map(\.url) == ["https://x.test/login?a=1&b=2", "https://x.test/plain", "https://x.test"])
    #expect(requests[0].contentText == "{\n  \"a\": \"# no comment\"\n}")
    #expect(requests[0].field("Authorization") == "Basic Ym9iOnBhc3Mgd29yZA==")
    #expect(requests[1].content == nil)
    #expect(requests[2].options.followsRedirects == false)
    #expect(requests[2].options.maximumTime == .seconds(3))
  }

  @Test("Files are parts of a body, with placeholders after <@, and the lines of a form are joined")
  func bodies() throws {
    let file = """
      POST http://x
      Content-Type: multipart/form-data; boundary=b

      --b
      < data.bin
      <@ text.txt
      --b--
      """
    let request = try CheckedEntry.request(file, format: .http, variables: ["name": .text("me")])
    #expect(request.contentText == "--b\r\n<data.bin>\r\nfrom me\r\n--b--")
    let form = """
      POST http://x
      Content-Type: application/x-www-form-urlencoded

      a=1
        &b=2
      """
    #expect(try CheckedEntry.request(form, format: .http).contentText == "a=1&b=2")
  }

  @Test(
    "A mistake has a fault with its line, its column and the remedy",
    arguments: [
      ("@a b", "1:1: A variable is @name = value"),
      ("GET http://x\nnonsense", "2:1: This line is no header field"),
      ("# @nope\nGET http://x", "1:1: The directive @nope is not supported"),
      ("# @name a\n", "2:1: A name is followed by no request"),
      ("GET http://x\n\n> {% client.test() %}", "3:1: Scripts and saved responses are not supported"),
      ("< {% x %}\nGET http://x", "1:1: Scripts before a request"),
      ("GET http://x\n\n<> saved.json", "3:1: Scripts"),
      ("# @name a\nGET http://x\n###\n# @name a\nGET http://x", "5:1: Two requests have the name \"a\""),
      ("# @timeout soon\nGET http://x", "1:1: max-time is a time"),
      ("POST ", "1:6: The method is not followed by a URL"),
      ("GET http://x/{{a", "1:14: A placeholder is {{name}}"),
    ])
  func faults(text: String, beginning: String) {
    let fault = CheckedEntry.fault(text, format: .http)
    #expect(fault.hasPrefix(beginning), "\(fault)")
  }

  @Test("A placeholder can name a part of an earlier response")
  func references() throws {
    let file = try CheckedEntry.file(
      """
      # @name login
      GET http://x
      ###
      @token = {{login.response.body.$.token}}
      GET http://x/{{token}}?type={{login.response.headers.content-type}}&all={{login.response.body.*}}
      """, format: .http)
    var environment = Environment(of: file, generators: CheckedEntry.generators)
    let response = CheckedEntry.response(json: #"{"token":"t1"}"#)
    #expect(file.entries[0].failures(of: response, in: &environment, tools: CheckedEntry.tools).isEmpty)
    let request = try file.entries[1].prepared(
      try file.entries[1].options(in: &environment), in: &environment
    ) {
      _, _ in ""
    }
    #expect(request.url == #"http://x/t1?type=application/json&all={"token":"t1"}"#)
  }

  @Test(
    "A variable that can't be resolved has a fault that says why",
    arguments: [
      ("@a = {{b}}\n@b = {{a}}\nGET http://{{a}}", "defined by each other: a → b → a"),
      ("GET http://{{nope}}", "There is no variable \"nope\" here"),
      ("GET http://{{login.response.body.$.x}}", "There is no response to a request \"login\" yet"),
      ("GET http://{{$dotenv X}}", "There is no variable \"$dotenv X\""),
    ])
  func unresolved(text: String, message: String) {
    #expect {
      _ = try CheckedEntry.request(text, format: .http)
    } throws: {
      ($0 as? FileFault)?.message.contains(message) == true
    }
  }

  @Test("Variables that double each other end with a fault")
  func doubling() {
    let lines = (0..<60).map { "@v\($0) = {{v\($0 + 1)}}{{v\($0 + 1)}}" }.joined(separator: "\n")
    for last in ["", "x"] {
      #expect {
        _ = try CheckedEntry.request("\(lines)\n@v60 = \(last)\nGET http://{{v0}}", format: .http)
      } throws: {
        ($0 as? FileFault)?.message.contains("resolve more than 10000 others") == true
      }
    }
  }

  @Test("Values that are new each time come from their generators")
  func generated() throws {
    let url = "GET http://x/{{$guid}}/{{$timestamp}}/{{$randomInt 3 9}}/{{$isoTimestamp}}"
    #expect(
      try CheckedEntry.request(url, format: .http).url
        == "http://x/01cc0f54-8885-4a1d-9121-ae5d316a33c5/1767225600/3/2026-01-01T00:00:00Z")
  }
}
