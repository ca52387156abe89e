import HTTPTypes
import Testing
import ToolCommands

@Suite struct HeaderArgumentTests {
  @Test(
    "A field is split at its first colon, and spaces around the value are removed",
    arguments: [
      ("Accept: text/plain", "Accept", "text/plain"), ("X-A:b", "X-A", "b"),
      ("X-A: \t b: c \t", "X-A", "b: c"),
      ("X-Empty;", "X-Empty", ""), ("X-A: ü", "X-A", "ü"),
    ])
  func fields(text: String, name: String, value: String) throws {
    let field = try HeaderArgument(text).field
    #expect(field.name.rawName == name)
    #expect(field.value == value)
  }

  @Test(
    "What is no field is refused as a wrong command line, without its value",
    arguments: [
      ("Accept", "no colon"), ("", "no colon"), (": secret", "no field name"),
      ("A B: secret", "no field name"),
      ("X-A: secret\r\nX-B: c", "line break"), ("X-A: secret\nX-B: c", "line break"),
      ("X-A: secret\u{0}", "zero byte"),
      ("X-A:", "has no value; write 'X-A;'"), ("X-A: secret\u{7F}", "control character"),
    ])
  func faults(text: String, sentence: String) {
    let failure = #expect(throws: ToolFailure.self) { try HeaderArgument(text) }
    #expect(failure?.status == .usage)
    #expect(failure?.description.contains(sentence) == true)
    #expect(failure?.description.contains("secret") == false)
  }

  @Test("A file has a field per line, and a faulty line is named by its number")
  func file() throws {
    let fields = try HeaderArgument.fields(inFile: "# a comment\r\nA: 1\r\n\r\nB: 2\n")
    #expect(fields.map { "\($0.name)=\($0.value)" } == ["A=1", "B=2"])
    let failure = #expect(throws: ToolFailure.self) { try HeaderArgument.fields(inFile: "A: 1\nb c") }
    #expect(failure?.description.hasPrefix("Line 2 ") == true)
  }
}
