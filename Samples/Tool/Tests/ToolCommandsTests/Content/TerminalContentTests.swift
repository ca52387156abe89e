import Testing
import ToolCommands

@Suite struct TerminalContentTests {
  /// What a terminal shows of pieces, and the remark.
  private static func shown(
    _ pieces: [String], type: String?, isComplete: Bool = true
  ) throws -> (text: String, note: String?) {
    var content = TerminalContent(.init(mediaType: type, ink: Ink(isOn: false), maximumLines: 20))
    var text = ""
    for piece in pieces { text += try content.text(of: Array(piece.utf8)) }
    return (text + content.rest(isComplete: isComplete), content.note)
  }

  @Test(
    "JSON is laid out by its type, or by its first character if there is no type; other text is not",
    arguments: [(String?, String, String)]([
      ("application/json", "{\"a\":1}", "{\n  \"a\": 1\n}\n"),
      ("application/problem+json; charset=utf-8", "[1]", "[\n  1\n]\n"),
      ("Text/JSON ;q=1", " 1 ", "1\n"), (nil, " [1]", "[\n  1\n]\n"), (nil, "{ no JSON", "{ no JSON\n"),
      ("text/plain", "{\"a\":1}", "{\"a\":1}\n"), (nil, "1", "1\n"),
      ("application/x-ndjson", "{}\n{}\n", "{}\n{}\n"), ("text/html", "<p>\u{1B}[2J", "<p>\\u{1B}[2J\n"),
    ]))
  func types(type: String?, content: String, text: String) throws {
    let shown = try Self.shown([content], type: type)
    #expect(shown.text == text)
    #expect(shown.note == nil)
  }

  @Test("JSON in pieces is one text; an invalid or incomplete one is shown as it is")
  func pieces() throws {
    #expect(try Self.shown(["{\"a\":", "[]}"], type: "application/json").text == "{\n  \"a\": []\n}\n")
    let invalid = try Self.shown(["{\"a\": ", "1,}"], type: "application/json")
    #expect(invalid.text == "{\"a\": 1,}\n")
    #expect(invalid.note == "the content is not valid JSON, or nested too deeply, and is shown as it is")
    let lost = try Self.shown(["{\"a\": ", "1"], type: "application/json", isComplete: false)
    #expect(lost.text == "{\"a\": 1\n")
    #expect(lost.note == nil)
  }

  @Test("JSON of more than 1 MiB is shown as it arrives, with a remark")
  func large() throws {
    var content = TerminalContent(
      .init(mediaType: "application/json", ink: Ink(isOn: true), maximumLines: 20))
    let piece = Array(repeating: UInt8(ascii: "1"), count: 1 << 19)
    #expect(try content.text(of: piece) == "")
    #expect(try content.text(of: piece) == "")
    #expect(try content.text(of: [UInt8(ascii: "2")]).utf8.count == (1 << 20) + 1)
    #expect(try content.text(of: [UInt8(ascii: "3")]) == "3")
    #expect(content.note == "JSON of more than 1.0 MiB is shown as it is")
    #expect(content.rest() == "\n")
  }

  @Test("Binary content is not shown but named, with its type, its size and the remedy")
  func binary() {
    var content = TerminalContent(
      .init(mediaType: "image/png\u{1B}[2J", length: 8_192, ink: Ink(isOn: false)))
    let failure = #expect(throws: ToolFailure.self) { try content.text(of: [0x89, 0x50, 0]) }
    #expect(failure?.status == .unwritable)
    #expect(
      failure?.description
        == "The content is binary (image/png\\u{1B}[2J, 8.0 KiB), which could garble the terminal; write it to a file with -o FILE."
    )
    var unknown = TerminalContent(.init(ink: Ink(isOn: false)))
    let other = #expect(throws: ToolFailure.self) { try unknown.text(of: [0]) }
    #expect(other?.description.contains("(of no stated type, of unknown length)") == true)
  }
}
