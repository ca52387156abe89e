import Testing

@testable import RequestFiles

@Suite struct SecretTests {
  @Test(
    "A secret is hidden as it is, and as encodings write it",
    arguments: [
      ("see s3 cr\"et&", "see ██"), ("s3%20cr%22et%26", "██"), ("s3+cr%22et%26", "██"),
      (#"s3 cr\"et&"#, "██"),
      ("s3 cr&quot;et&amp;", "██"), ("czMgY3IiZXQm", "██"), ("733320637222657426", "██"), ("s3", "s3"),
    ])
  func forms(text: String, hidden: String) {
    let scrubber = SecretScrubber(["s3 cr\"et&"])
    #expect(scrubber.text(text) == hidden)
    #expect(scrubber.bytes(Array(text.utf8)) == Array(hidden.utf8))
  }

  @Test("The longer one of two secrets is hidden first, and bytes that are not text stay")
  func several() {
    let scrubber = SecretScrubber(["abc", "abcdef", ""])
    #expect(scrubber.text("abcdefabc") == "████")
    #expect(scrubber.bytes([0xFF, 0x61, 0x62, 0x63, 0x00]) == [0xFF] + Array("██".utf8) + [0x00])
    #expect(SecretScrubber([]).text("abc") == "abc")
  }

  @Test("JSON and reports without a secret are still JSON and reports, also if it occurs in their structure")
  func structure() throws {
    let scrubber = SecretScrubber(["12", "a"])
    let json = #"{"a12": 123, "b" : "x12\"a", "c": ["a", 12]}"#
    #expect(
      String(decoding: scrubber.json(Array(json.utf8)), as: UTF8.self)
        == #"{"a12": 123, "b" : "x██\"██", "c": ["██", 12]}"#)
    #expect(scrubber.json(Array(#"["a"#.utf8)) == Array(#"["██"#.utf8))
    #expect(scrubber.json(Array("[\"a\\".utf8)) == Array("[\"██\\".utf8))
    let report = JUnitReport([
      .init(name: "a", cases: [.init(name: "12", outcome: .failed("a"), duration: .milliseconds(12))])
    ])
    let text = report.hidingSecrets(by: scrubber).text
    #expect(
      text.contains(#"<testcase name="██" classname="██" time="0.012"><failure message="██">██</failure>"#))
  }

  @Test(
    "A failed assertion shows no secret",
    arguments: [
      "body == \"{{key}}x\"", "variable \"key\" == \"a\"", "variable \"key\" split \"e\" nth 1 == \"a\"",
      "jsonpath \"$.k\" == \"other\"",
      "jsonpath \"$.k\" base64Encode == \"a\"", "jsonpath \"$.k\" toInt == 1",
    ])
  func assertions(assertion: String) throws {
    let failures = try CheckedEntry.failures(
      assertion, of: CheckedEntry.response(json: #"{"k":"sesame-open"}"#), secrets: ["key": "sesame-open"])
    #expect(failures.count == 1)
    for part in ["sesame", "same-op", "c2VzYW1l"] { #expect(!failures[0].contains(part), "\(failures)") }
  }

  @Test("A captured secret, and one that is captured from a secret, is hidden from then on")
  func captured() throws {
    let failures = try CheckedEntry.failures(
      file: """
        GET http://x
        HTTP 200
        [Captures]
        token: jsonpath "$.t" redact
        part: variable "token" replace "t-" ""
        [Asserts]
        jsonpath "$.t" == "a"
        variable "part" == "b"
        """, of: CheckedEntry.response(json: #"{"t":"t-4711"}"#))
    #expect(
      failures == ["The value is \"██\", but should be \"a\".", "The value is ██, but should be \"b\"."])
  }

  @Test("Credentials that contain a secret are hidden when they are encoded, too")
  func credentials() throws {
    let file = try CheckedEntry.file("GET http://x\n[BasicAuth]\nbob: {{pw}}")
    var environment = Environment(of: file, secrets: ["pw": "sesame"], generators: CheckedEntry.generators)
    let options = try file.entries[0].options(in: &environment)
    _ = try file.entries[0].prepared(options, in: &environment) { _, _ in "" }
    #expect(environment.scrubber.text("Basic Ym9iOnNlc2FtZQ==") == "Basic ██")
  }

  @Test("A file of variables has a line for each, and a fault names the line")
  func variablesFile() throws {
    let source = SourceText(name: "v", text: "# comment\n\nhost=x.test\nport = 80\r\nname=\"5\"\nempty=\n")
    #expect(
      try VariablesFile.variables(source) == [
        "host": .text("x.test"), "port": .integer(80), "name": .text("5"), "empty": .text(""),
      ])
    #expect(throws: FileFault.self) { try VariablesFile.variables(SourceText(name: "v", text: "a\n")) }
  }

  @Test("The report for JUnit counts the outcomes, and escapes texts")
  func junit() {
    let suite = JUnitReport.Suite(
      name: "a<b>.hurl",
      cases: [
        .init(name: "1. GET \"x\"", outcome: .passed, duration: .milliseconds(12)),
        .init(
          name: "2. POST x", outcome: .failed("a:1:2: Wrong & bad.\n 1 | x"), duration: .milliseconds(1_500)),
        .init(name: "3. PUT x", outcome: .error("No \u{1B} response.")),
        .init(name: "4. GET x", outcome: .skipped),
      ])
    #expect(
      JUnitReport([suite]).text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites tests="4" failures="1" errors="1" skipped="1" time="1.512">
          <testsuite name="a&lt;b&gt;.hurl" tests="4" failures="1" errors="1" skipped="1" time="1.512">
            <testcase name="1. GET &quot;x&quot;" classname="a&lt;b&gt;.hurl" time="0.012"/>
            <testcase name="2. POST x" classname="a&lt;b&gt;.hurl" time="1.500"><failure message="a:1:2: Wrong &amp; bad.">a:1:2: Wrong &amp; bad.&#10; 1 | x</failure></testcase>
            <testcase name="3. PUT x" classname="a&lt;b&gt;.hurl" time="0.000"><error message="No \u{FFFD} response.">No \u{FFFD} response.</error></testcase>
            <testcase name="4. GET x" classname="a&lt;b&gt;.hurl" time="0.000"><skipped/></testcase>
          </testsuite>
        </testsuites>

        """)
  }
}
