import Testing

@testable import RequestFiles

@Suite struct EvaluationTests {
  private static let response = ReceivedResponse(
    version: "HTTP/2", status: 200,
    fields: [
      ("Content-Type", "application/json"), ("Vary", "A"), ("Vary", "B"),
      ("Set-Cookie", "sid=abc; Path=/a; Max-Age=60; Secure; Expires=Wed, 13 Jan 2021 22:23:01 GMT"),
    ],
    body: Array(
      #"{"n":5,"pi":"3.14","list":[1,2,3],"o":{},"e":[],"f":1.5,"t":true,"z":null,"s":"a, b","d":"2026-01-11T00:00:00Z","id":"01cc0f54-8885-4a1d-9121-ae5d316a33c5","b":"0YjQ","u":"https%3A//x/?a=%C3%BC"}"#
        .utf8),
    url: "http://x/?q=1", duration: .milliseconds(12), address: "127.0.0.1")

  @Test(
    "An assertion that holds has no failure",
    arguments: [
      "status == 200", "status != 201", "status >= 200", "status < 300", "version == \"2\"",
      "url endsWith \"q=1\"",
      "ip isIpv4", "ip not isIpv6", "header \"content-type\" contains \"json\"", "header \"Vary\" count == 2",
      "header \"Vary\" includes \"B\"", "header \"Nope\" not exists", "cookie \"sid\" == \"abc\"",
      "cookie \"sid[Path]\" == \"/a\"",
      "cookie \"sid[Max-Age]\" == 60", "cookie \"sid[Secure]\" exists", "cookie \"sid[HttpOnly]\" not exists",
      "cookie \"sid[Expires]\" format \"%Y\" == \"2021\"", "cookie \"nope\" not exists",
      "body startsWith \"{\"", "bytes startsWith hex,7b22;",
      "bytes count > 10", "jsonpath \"$.n\" == 5", "jsonpath \"$.n\" == 5.0", "jsonpath \"$.n\" not == 4",
      "jsonpath \"$.n\" == {{five}}",
      "jsonpath \"$.{{name}}\" == 5", "jsonpath \"$.pi\" toFloat > 3", "jsonpath \"$.pi\" isString",
      "jsonpath \"$.list\" count == 3",
      "jsonpath \"$.list\" nth -1 == 3", "jsonpath \"$.list\" first == 1", "jsonpath \"$.list\" last == 3",
      "jsonpath \"$.list\" contains 2",
      "jsonpath \"$.list\" isCollection", "jsonpath \"$.list\" isList", "jsonpath \"$.list[9]\" not exists",
      "jsonpath \"$.o\" isObject",
      "jsonpath \"$.o\" isEmpty", "jsonpath \"$.e\" isEmpty", "jsonpath \"$.list\" not isEmpty",
      "jsonpath \"$.f\" isFloat",
      "jsonpath \"$.f\" isNumber", "jsonpath \"$.n\" isInteger", "jsonpath \"$.t\" isBoolean",
      "jsonpath \"$.z\" == null",
      "jsonpath \"$.z\" exists", "jsonpath \"$.s\" split \", \" nth 1 == \"b\"",
      "jsonpath \"$.s\" replace \", \" \"|\" == \"a|b\"",
      "jsonpath \"$.s\" replaceRegex /[a-z]/ \"x\" == \"x, x\"", "jsonpath \"$.s\" regex /a, (.)/ == \"b\"",
      "jsonpath \"$.s\" matches /^a/",
      "jsonpath \"$.s\" matches \"^\\\\w,\"", "jsonpath \"$.s\" not matches /^b/",
      "jsonpath \"$.s\" == `a, b`", "jsonpath \"$.d\" isIsoDate",
      "jsonpath \"$.d\" toDate \"%+\" daysAfterNow == 10", "jsonpath \"$.d\" toDate \"%+\" isDate",
      "jsonpath \"$.id\" isUuid", "jsonpath \"$.id\" == {{newUuid}}",
      "jsonpath \"$.b\" base64Decode == hex,d188d0;", "jsonpath \"$.b\" base64Decode toHex == \"d188d0\"",
      "jsonpath \"$.b\" base64Decode base64Encode == \"0YjQ\"",
      "jsonpath \"$.u\" urlDecode == \"https://x/?a=ü\"",
      "jsonpath \"$.u\" urlDecode urlEncode == \"https%3A//x/%3Fa%3D%C3%BC\"",
      "jsonpath \"$.u\" urlDecode urlQueryParam \"a\" == \"ü\"",
      "jsonpath \"$.n\" toString == \"5\"", "jsonpath \"$.f\" toInt == 1",
      "jsonpath \"$.t\" toString htmlEscape == \"true\"",
      "regex /\"n\":(\\d)/ toInt == 5", "variable \"name\" == \"n\"", "variable \"nope\" not exists",
      "duration < 100", "duration == 12",
      "sha256 contains \"sha256\"", "md5 contains \"md5\"", "bytes decode \"utf-8\" jsonpath \"$.n\" == 5",
      "body htmlUnescape contains \"n\"",
      "jsonpath \"$.s\" utf8Encode utf8Decode == \"a, b\"", "bytes not contains file,data.bin;",
    ])
  func holds(assertion: String) throws {
    let failures = try CheckedEntry.failures(
      assertion, of: Self.response, variables: ["five": .integer(5), "name": .text("n")])
    #expect(failures == [])
  }

  @Test(
    "An assertion that fails names the value and what it should be",
    arguments: [
      ("status == 404", "The value is 200, but should be 404."),
      ("status != 200", "The value is 200, but should be other than 200."),
      ("status > 200", "The value is 200, but should be greater than 200."),
      ("status not exists", "The value is 200, but should not exist."),
      ("header \"Nope\" exists", "The query finds nothing, but should exist."),
      ("jsonpath \"$.nope\" == 1", "The query finds nothing, but should be 1."),
      (
        "jsonpath \"$.nope\" != 1",
        "The query finds nothing, but should be other than 1, which has no value to compare."
      ),
      (
        "jsonpath \"$.s\" > 1",
        "The value is \"a, b\", but should be greater than 1, because a string can't be compared with an integer."
      ),
      (
        "jsonpath \"$.s\" not > 1",
        "The value is \"a, b\", but should not be greater than 1, because a string can't be compared with an integer."
      ),
      (
        "jsonpath \"$.n\" not contains \"x\"",
        "The value is 5, but should not contain \"x\", because an integer can't be compared with a string."
      ),
      ("jsonpath \"$.n\" isString", "The value is 5, but should satisfy isString."),
      ("status isEmpty", "The value is 200, but should be empty, which has no elements."),
      ("jsonpath \"$.s\" matches /^b/", "The value is \"a, b\", but should match the pattern."),
      (
        "status count == 1",
        "The filter count needs a list, an object or bytes, but its input is an integer: 200."
      ),
      (
        "jsonpath \"$.s\" toInt == 1",
        "The filter toInt needs the digits of an integer, but its input is a string: \"a, b\"."
      ),
      ("jsonpath \"$.s\" toDate \"%Q\" exists", "The format has %Q, which is not supported."),
      ("regex /n/ == \"n\"", "The pattern has no group; put what it extracts in parentheses."),
      (
        "jsonpath \"$.s\" == {{nope}}",
        "There is no variable \"nope\" here; capture it before, or set it with --variable nope=VALUE."
      ),
      ("bytes == file,nope;", "The file \"nope\" is missing."),
      (
        "bytes decode \"gb2312\" exists",
        "The charset \"gb2312\" is not supported; use bytes, or decode with utf-8, iso-8859-1 or us-ascii."
      ),
    ])
  func fails(assertion: String, message: String) throws {
    #expect(try CheckedEntry.failures(assertion, of: Self.response) == [message])
  }

  @Test(
    "A filter that multiplies its input ends with a fault",
    arguments: ["split \"\"", "split \"a\"", "replace \"a\" \"bbbbbbbbbbb\"", "base64Encode", "urlEncode"])
  func limits(filters: String) throws {
    let file = try CheckedEntry.file("GET http://x\nHTTP 200\n[Asserts]\nbody \(filters) exists")
    let filter = try #require(file.entries[0].expectation?.assertions.first?.query.filters.first)
    let environment = Environment(of: file, generators: CheckedEntry.generators)
    let isSplit = filters.hasPrefix("split")
    let text = String(repeating: filters == "urlEncode" ? " " : "a", count: isSplit ? 1_000_001 : 900)
    let limited = ValueFilters(environment: environment, maximumBytes: isSplit ? 2_000_000 : 1_000)
    #expect {
      _ = try limited.apply(filter, to: .text(text))
    } throws: {
      ($0 as? FileFault)?.message.contains("produces more than") == true
    }
  }

  @Test("A wrong status ends the check, and other failures are all reported")
  func order() throws {
    let wrong = try CheckedEntry.failures(
      file: "GET http://x\nHTTP/1.1 404\n[Asserts]\nstatus == 1", of: Self.response)
    #expect(
      wrong == ["The version is HTTP/2, but should be HTTP/1.1.", "The status is 200, but should be 404."])
    let several = try CheckedEntry.failures(
      file:
        "GET http://x\nHTTP 200\nVary: C\nVary: B\nX: y\n[Captures]\na: header \"Nope\"\n[Asserts]\nstatus == 1\nstatus == 2",
      of: Self.response)
    #expect(
      several == [
        "The query finds nothing, so that a has no value.",
        "The field Vary is \"A\" and \"B\", but should be \"C\".",
        "The field X is missing, but should be \"y\".", "The value is 200, but should be 1.",
        "The value is 200, but should be 2.",
      ])
  }

  @Test(
    "An expected content is compared as JSON, as text or as bytes",
    arguments: [
      (#"{"b":[1,{"c":2}],"a":1.0}"#, #"{"a":1,"b":[1,{"c":2}]}"#, nil),
      (
        #"{"a":1,"b":[1,{"c":3}]}"#, #"{"a":1,"b":[1,{"c":2}]}"#,
        "The content differs: $.b[1].c is 2, but should be 3."
      ),
      (#"{"a":1}"#, #"{"a":1,"b":2}"#, "The content differs: $ has the further member \"b\"."),
      (#"{"a":1,"c":2}"#, #"{"a":1}"#, "The content differs: $ lacks the member \"c\"."),
      ("[1]", "[1,2]", "The content differs: $ has 2 elements, but should have 1."), ("`a`", "a", nil),
      ("```\na\nb\n```", "a\nb\n", nil),
      ("```\na\nb\n```", "a\nc\n", "The content differs in line 2: it is \"c\", but should be \"b\"."),
      ("hex,00ff;", "\u{0}", "The content has 1 bytes and differs at byte 1 from the 2 expected ones."),
      ("file,data.bin;", "\u{1}\u{2}\u{3}", nil),
      (
        "{}", "oops",
        "The content of the response is no JSON: a value is neither a number nor true, false or null (byte 0)."
      ),
    ] as [(String, String, String?)])
  func content(expected: String, body: String, message: String?) throws {
    let failures = try CheckedEntry.failures(
      file: "GET http://x\nHTTP 200\n\(expected)", of: ReceivedResponse(status: 200, body: Array(body.utf8)))
    #expect(failures == (message.map { [$0] } ?? []))
  }

  @Test("Captures are variables of the requests that follow, and of the assertions below them")
  func captures() throws {
    let file = try CheckedEntry.file(
      """
      GET http://x
      HTTP 200
      [Captures]
      n: jsonpath "$.n"
      copy: variable "n"
      all: jsonpath "$.list"
      [Asserts]
      variable "copy" == 5
      GET http://x/{{n}}?list={{all}}
      """)
    var environment = Environment(of: file, generators: CheckedEntry.generators)
    #expect(file.entries[0].failures(of: Self.response, in: &environment, tools: CheckedEntry.tools).isEmpty)
    let options = try file.entries[1].options(in: &environment)
    let request = try file.entries[1].prepared(options, in: &environment) { _, _ in "" }
    #expect(request.url == "http://x/5?list=[1,2,3]")
    let cyclic = try CheckedEntry.failures(
      file: "GET http://x\nHTTP 200\n[Captures]\na: variable \"b\"\nb: variable \"a\"", of: Self.response)
    #expect(cyclic.count == 2)
  }

  @Test("A content in another charset is decoded as its media type states")
  func charset() throws {
    let latin = ReceivedResponse(
      status: 200, fields: [("Content-Type", "text/plain; charset=ISO-8859-1")],
      body: [0x63, 0x61, 0x66, 0xE9])
    #expect(try CheckedEntry.failures("body == \"café\"", of: latin) == [])
    let broken = ReceivedResponse(status: 200, body: [0xFF])
    #expect(
      try CheckedEntry.failures("body exists", of: broken)
        == ["The content is not text in utf-8; use bytes, or decode with another charset."])
  }
}
