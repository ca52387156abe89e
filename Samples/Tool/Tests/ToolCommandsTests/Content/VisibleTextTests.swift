import Testing
import ToolCommands

@Suite struct VisibleTextTests {
  private static func shown(_ pieces: [[UInt8]]) -> String {
    var visible = VisibleText()
    return pieces.map { visible.text(of: $0) }.joined() + visible.rest()
  }

  @Test(
    "Control and format characters and invalid bytes are made visible, and text remains",
    arguments: [(String, String)]([
      ("plain\n\ttext", "plain\n\ttext"), ("a\r\nb", "a\nb"), ("over\rwritten", "over\\u{D}written"),
      ("end\r", "end\\u{D}"), ("\r\r\n", "\\u{D}\n"), ("\u{1B}[2J", "\\u{1B}[2J"),
      ("\u{1B}]0;title\u{7}", "\\u{1B}]0;title\\u{7}"), ("\u{9B}2J", "\\u{9B}2J"),
      ("\u{8}\u{7F}", "\\u{8}\\u{7F}"),
      ("a\u{202E}b\u{2066}", "a\\u{202E}b\\u{2066}"), ("line\u{2028}", "line\\u{2028}"),
      ("Häuser 北京 👩‍👩‍👧", "Häuser 北京 👩‍👩‍👧"),
    ]))
  func visible(content: String, text: String) {
    #expect(Self.shown([Array(content.utf8)]) == text)
    // The same in pieces of one byte, which end within characters.
    #expect(Self.shown(content.utf8.map { [$0] }) == text)
  }

  @Test("Bytes that are not UTF-8 are written in hexadecimal, each by itself")
  func invalid() {
    #expect(Self.shown([[0x61, 0xFF, 0xC3, 0x28, 0xE5, 0x8C]]) == "a\\xFF\\xC3(\\xE5\\x8C")
    #expect(Self.shown([[0xE5], [0x8C], [0x97]]) == "北")
    #expect(Self.shown([[0xED, 0xA0, 0x80]]) == "\\xED\\xA0\\x80")
    #expect(Self.shown([[0xC0, 0x80]]) == "\\xC0\\x80")
  }

  @Test("No byte of any content lets a control character through, except line feed and tab")
  func everyByte() {
    for first in UInt8.min ... .max {
      for second in UInt8.min ... .max {
        let text = Self.shown([[first, second]])
        let isSafe = text.unicodeScalars.allSatisfy { scalar in
          scalar == "\n" || scalar == "\t" || scalar.properties.generalCategory != .control
        }
        #expect(isSafe, "\(first) \(second)")
      }
    }
  }

  @Test("Zero bytes, or many bytes that are no character, are binary; escapes and other encodings are not")
  func binary() {
    #expect(BinaryContent.isLikely([0x61, 0]))
    #expect(BinaryContent.isLikely([0x89, 0xFF, 0xFE, 0x61]))
    #expect(!BinaryContent.isLikely([]))
    #expect(!BinaryContent.isLikely("\u{1B}[31mred".utf8))
    let latin: [UInt8] = Array("Stra".utf8) + [0xDF] + Array("e in Latin 1".utf8)
    #expect(!BinaryContent.isLikely(latin))
    // The sample ends within the last character.
    #expect(!BinaryContent.isLikely((String(repeating: "a", count: 4_095) + "é").utf8))
  }
}
