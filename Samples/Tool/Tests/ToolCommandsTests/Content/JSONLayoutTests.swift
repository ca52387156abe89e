import Testing
import ToolCommands

@Suite struct JSONLayoutTests {
  private let plain = Ink(isOn: false)

  private func layout(_ text: String, lines: Int? = nil, width: Int = 80) throws -> JSONLayout {
    JSONLayout(try #require(JSONTree(Array(text.utf8))), ink: plain, maximumLines: lines, width: width)
  }

  @Test("Members keep their order, and numbers their digits")
  func order() throws {
    let shown = try layout(#"{"b":1.50,"a":[true,null,-0.0e+7],"b":{},"c":[],"d":"\u00e9\n"}"#)
    #expect(
      shown.lines == [
        "{", #"  "b": 1.50,"#, #"  "a": ["#, "    true,", "    null,", "    -0.0e+7", "  ],", #"  "b": {},"#,
        #"  "c": [],"#, #"  "d": "\u00e9\n""#, "}",
      ])
    #expect(!shown.isFolded)
  }

  @Test(
    "What is not valid JSON is refused",
    arguments: [
      "", " ", "{", "[1,]", "{\"a\":1,}", "{a:1}", "[1 2]", "01", "1.", ".5", "+1", "1e", "-", "tru", "nul",
      "\"a", "\"\\x\"", "\"\\u12\"", "\"a\nb\"", "1 1", "[1]]", "{\"a\"}", "'a'", "NaN",
    ])
  func invalid(text: String) { #expect(JSONTree(Array(text.utf8)) == nil) }

  @Test("A string that is not UTF-8, and nesting beyond 200, are refused; a byte order mark is ignored")
  func limits() {
    #expect(JSONTree([0x22, 0xFF, 0x22]) == nil)
    func nested(_ depth: Int) -> [UInt8] {
      Array(repeating: UInt8(ascii: "["), count: depth) + Array(repeating: UInt8(ascii: "]"), count: depth)
    }
    #expect(JSONTree(nested(200)) != nil)
    #expect(JSONTree(nested(201)) == nil)
    #expect(JSONTree(Array(repeating: UInt8(ascii: "["), count: 1 << 20)) == nil)
    #expect(JSONTree([0xEF, 0xBB, 0xBF] + Array("1".utf8)) == .number("1"))
  }

  @Test("Long arrays and nested objects are folded to the number of lines, and say what they leave out")
  func folding() throws {
    let home = #"{"id":1,"street":"A","tags":["x","y"]}"#
    let text = "{\"homes\":[" + Array(repeating: home, count: 50).joined(separator: ",") + "],\"total\":50}"
    let shown = try layout(text, lines: 16)
    #expect(shown.isFolded)
    #expect(
      shown.lines == [
        "{", #"  "homes": ["#, "    {", #"      "id": 1,"#, #"      "street": "A","#,
        #"      "tags": [ … 2 elements ]"#, "    },", "    { … 3 members },", "    { … 3 members },",
        "    { … 3 members },", "    { … 3 members },", "    … 45 more", "  ],", #"  "total": 50"#, "}",
      ])
    #expect(shown.note(plain) == "folded to 15 lines of 405; --all shows all, and so does a pipe")
  }

  @Test("A folded layout has at most the lines that it may have, for any number of them")
  func bound() throws {
    let row = #"{"a":[1,2,[3,4,{"b":[5,6,7,8]}]],"c":{"d":{"e":{"f":[9,10]}}},"g":"h"}"#
    let text = "[" + Array(repeating: row, count: 30).joined(separator: ",") + "]"
    for lines in 1...120 {
      let shown = try layout(text, lines: lines)
      #expect(shown.lines.count <= lines, "\(lines)")
      #expect(shown.isFolded)
    }
    let whole = try layout(text)
    #expect(try layout(text, lines: whole.fullCount).lines == whole.lines)
    #expect(whole.lines.count == whole.fullCount)
  }

  @Test("A long string is shortened to the width when folded, and shown as a whole otherwise")
  func longStrings() throws {
    let text = "{\"a\":\"\(String(repeating: "x", count: 300))\"}"
    let shown = try layout(text, lines: 20, width: 40)
    #expect(shown.isFolded)
    #expect(shown.lines[1] == #"  "a": "xxxxxxxxxxxxx…" (300 characters)"#)
    #expect(shown.lines.allSatisfy { $0.count <= 40 })
    #expect(try layout(text).lines[1].count == 309)
  }

  @Test(
    "Names, strings, numbers and words have colours, and hidden characters of names and strings are visible")
  func colours() throws {
    let tree = try #require(JSONTree(Array("{\"a\u{9B}\":\"b\u{202E}\",\"c\":[1,true]}".utf8)))
    let lines = JSONLayout(tree, ink: Ink(isOn: true)).lines
    #expect(lines[1] == "  \u{1B}[34m\"a\\u{9B}\"\u{1B}[0m: \u{1B}[32m\"b\\u{202E}\"\u{1B}[0m,")
    #expect(lines[3] == "    \u{1B}[36m1\u{1B}[0m,")
    #expect(lines[4] == "    \u{1B}[33mtrue\u{1B}[0m")
  }
}
