import Foundation
import SwitchyardTesting
import Testing

@testable import BodyFormats

@Suite("The parser of a raw JSON document", .timeLimit(.minutes(5)))
struct JSONTableBuilderTests {
  private func fault(in bytes: [UInt8]) -> JSONScan.Fault? {
    var builder = JSONTableBuilder(maximumDepth: 128, findsDuplicates: true)
    do throws(JSONScan.Fault) {
      try builder.build(bytes.span)
      return nil
    } catch {
      return error
    }
  }

  private func fault(in text: String) -> JSONScan.Fault? { fault(in: Array(text.utf8)) }

  @Test(
    "The grammar of RFC 8259 is accepted",
    arguments: [
      "0", "-0", "10", "1.5", "-1.5e+10", "1E-2", "0e0", "true", "false", "null", #""""#, #""a""#, "[]", "{}",
      " \t\r\n[ 1 , 2 ] \n", #"{"a":{},"b":[{}]}"#, #"["\"\\\/\b\f\n\r\t\u00e9"]"#, #""\ud83d\ude00""#,
      "\"é\u{7F}€😀\u{10FFFF}\"", "\u{FEFF}[1]", #"["]","}",",",":"]"#,
    ])
  func valid(_ text: String) throws {
    #expect(fault(in: text) == nil)
  }

  @Test(
    "Anything else is refused at its first byte",
    arguments: [
      (" ", 1), ("01", 1), ("-", 1), ("+1", 0), (".5", 0), ("1.", 2), ("1.e1", 2), ("1e", 2), ("1e+", 3),
      ("NaN", 0), ("-Infinity", 1), ("0x10", 1), ("tru", 0), ("nul", 0), ("truee", 4), ("True", 0),
      ("1 2", 2),
      ("[1]]", 3), ("]", 0), ("}", 0), (",", 0), ("[,1]", 1), ("[1,]", 3), ("[1 2]", 3), ("[1}", 2),
      ("{1:2}", 1),
      (#"{"a" 1}"#, 5), (#"{"a":}"#, 5), (#"{"a":1,}"#, 7), (#"{"a":1]"#, 6), (#"{"a":1 "b":2}"#, 7),
      (#"{"a"}"#, 4), ("{'a':1}", 1), ("//", 0), ("[1]/**/", 3), (#""\x""#, 2), (#""\u00g0""#, 5),
      (#""\ud800""#, 1), (#""\ude00""#, 1), (#""\ud800\ud800""#, 1), (#""\ud800abcdef""#, 1), ("\"a\nb\"", 2),
      ("\"\t\"", 1), ("\"a\u{0}\"", 2),
    ])
  func invalid(_ text: String, _ offset: Int) {
    #expect(fault(in: text) == .unexpected(at: offset))
  }

  @Test(
    "Bytes that are not UTF-8 are refused",
    arguments: [
      [0x80], [0xC3], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80],
      [0xF0, 0x8F, 0xBF, 0xBF],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82], [0xFF], [0xC3, 0x28],
    ] as [[UInt8]])
  func encoding(_ bytes: [UInt8]) {
    let quote = UInt8(ascii: "\"")
    #expect(fault(in: [quote] + bytes + [quote]) == .unexpected(at: 1))
    #expect(fault(in: Array("{\"ab".utf8) + bytes + Array("\":1}".utf8)) == .unexpected(at: 4))
    #expect(fault(in: bytes + [quote, quote]) != nil)
    #expect(fault(in: [0xFF, 0xFE] + bytes) == .notUTF8)
  }

  @Test("Every two and three bytes after a quotation mark are accepted as String accepts them")
  func everyEncoding() {
    for first in UInt8(0x80)...0xFF {
      for second in stride(from: UInt8(0x70), through: 0xF0, by: 0x0F) {
        for third in [UInt8(0x7F), 0x80, 0xBF, 0xC0] {
          let bytes = [first, second, third, 0x80]
          let isValid = String(validating: bytes, as: UTF8.self) != nil
          #expect((fault(in: [0x22] + bytes + [0x22]) == nil) == isValid, "\(bytes)")
        }
      }
    }
  }

  @Test("A text that ends at any byte before its last one is malformed")
  func truncated() {
    let bytes = Array(
      #"{"a":[1,-2.5e3,"x\"y é",{"b\u00e9":null}],"c":"\ud83d\ude00 and a long text","d":true}"#.utf8)
    #expect(fault(in: bytes) == nil)
    for count in 1..<bytes.count {
      switch fault(in: Array(bytes.prefix(count))) {
      case .truncated, .unexpected: break
      case let other: Issue.record("\(count): \(String(describing: other))")
      }
    }
  }

  @Test("A fault within a string is found at every alignment")
  func alignment() {
    for lead in 0..<20 {
      let text = String(repeating: "a", count: lead)
      for (mark, offset) in [("\n", 0), ("\\x", 1), ("\u{1}", 0)] {
        #expect(fault(in: "\"\(text)\(mark)bcdefghijk\"") == .unexpected(at: lead + 1 + offset))
      }
      #expect(fault(in: "\"\(text)") == .truncated)
      #expect(fault(in: "\"\(text)é\\n\"") == nil)
    }
  }

  @Test("Damaged texts are accepted only if JSONSerialization accepts them, and end without a trap")
  func damaged() throws {
    var random = SeededRandom(seed: 16)
    let valid = Array(#"{"a":[1,{"b":"c\u00e9"}],"d":{"e":null,"f":"\\"},"g":-1.5e2}"#.utf8)
    let marks = Array(#"{}[]",:\u0ae-. "#.utf8)
    var accepted = 0
    for _ in 0..<20_000 {
      var bytes = valid
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] =
          Bool.random(using: &random)
          ? marks.randomElement(using: &random) ?? 0 : UInt8.random(in: 0...255, using: &random)
      }
      guard let document = try? JSONDocument(bytes) else { continue }
      accepted += 1
      let object = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
      #expect(object != nil, "\(String(decoding: bytes, as: UTF8.self))")
      _ = try? document["a"][1][JSONField<String>("b")]
    }
    #expect(accepted > 100)
  }
}
