import SwitchyardTesting
import Testing

@testable import BodyFormats

@Suite("The scan of a JSON text", .timeLimit(.minutes(5)))
struct JSONScanTests {
  private func fault(
    in text: String, depth: Int = 512, duplicates: Bool = true
  ) -> JSONScan.Fault? {
    fault(in: Array(text.utf8), depth: depth, duplicates: duplicates)
  }

  private func fault(in bytes: [UInt8], depth: Int = 512, duplicates: Bool = true) -> JSONScan.Fault? {
    var scan = JSONScan(maximumDepth: depth, findsDuplicates: duplicates)
    do throws(JSONScan.Fault) {
      try scan.check(bytes.span)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "What is valid passes",
    arguments: [
      "", "1", "null", "\"a\"", "[]", "{}", #"{"a":1,"b":{"a":2},"c":[{"a":1},{"a":2}]}"#,
      #"{"a":"a","b":"{\"a\":1,\"a\":2}"}"#, #"["[","{","\\","\"",",\"a\":"]"#, #"{"a":["a","a"],"b":"a"}"#,
      #"{"":1,"a":2}"#, #"{"\u0061":1,"b":2}"#, #"{"é":1,"e":2}"#, "\u{FEFF}{\"a\":1}",
    ])
  func valid(_ text: String) {
    #expect(fault(in: text) == nil)
  }

  @Test("The depth is counted in arrays and objects, outside strings")
  func depth() {
    #expect(fault(in: #"[{"a":[1]}]"#, depth: 3) == nil)
    #expect(fault(in: #"[{"a":[1]}]"#, depth: 2) == .tooDeep(at: 6))
    #expect(fault(in: #"["[[[[","[[["]"#, depth: 1) == nil)
    #expect(fault(in: "[[],[],[[]]]", depth: 2) == .tooDeep(at: 8))
    #expect(fault(in: Array(repeating: UInt8(ascii: "["), count: 1_000_000)) == .tooDeep(at: 512))
  }

  @Test(
    "The second one of two equal keys is reported",
    arguments: [
      (#"{"a":1,"a":2}"#, 7), (#"[0,{"b":{"a":1,"c":[{"a":1}],"a":2}}]"#, 29), (#"{"":1,"":2}"#, 6),
      (#"{"a":1,"\u0061":2}"#, 7), (#"{"\ud83d\ude00":1,"😀":2}"#, 18), (#"{"\n":1,"\u000A":2}"#, 8),
      ("{\"\u{E9}\":1,\"e\u{301}\":2}", 8), (#"{"a" : 1 , "b":2, "a":{}}"#, 18),
    ])
  func duplicates(_ text: String, _ offset: Int) {
    #expect(fault(in: text) == .duplicateKey(at: offset))
    #expect(fault(in: text, duplicates: false) == nil)
  }

  @Test("A duplicate is found among any number of keys", arguments: [2, 16, 17, 1_000])
  func manyKeys(count: Int) {
    let keys = (0..<count).map { "\"key\($0)\":0" }
    #expect(fault(in: "{\(keys.joined(separator: ","))}") == nil)
    for place in [0, count / 2, count - 1] {
      let text = "{\((keys + [keys[place]]).joined(separator: ","))}"
      #expect(fault(in: text) == .duplicateKey(at: text.utf8.count - keys[place].utf8.count - 1))
    }
  }

  @Test("A duplicate is found in any of many objects with the same or similar keys")
  func repeatedKeys() {
    var random = SeededRandom(seed: 34)
    let names =
      (0..<12).map { String(repeating: "k", count: $0 * 3 % 11) + "\($0)" } + ["\\n", "é", "\\u006b0"]
    for _ in 0..<2_000 {
      // Objects of a few shapes, with spaces that move them to any alignment.
      let shapes = (0..<3).map { _ in
        names.shuffled(using: &random).prefix(Int.random(in: 0...9, using: &random))
      }
      var (text, expected): (String, Int?) = ("[", nil)
      for object in 0..<8 {
        var keys = Array(shapes[Int.random(in: 0..<3, using: &random)])
        // Both are "k0".
        if keys.contains("\\u006b0") { keys.removeAll { $0 == "k0" || $0 == "0" } }
        if let repeated = keys.randomElement(using: &random), Int.random(in: 0..<12, using: &random) == 0 {
          keys.append(repeated)
        }
        text += object > 0 ? ",{" : "{"
        for (place, key) in keys.enumerated() {
          if place > 0 { text += "," }
          text += String(repeating: " ", count: Int.random(in: 0...8, using: &random))
          if keys[..<place].contains(key) { expected = expected ?? text.utf8.count }
          text += "\"\(key)\" : \(Bool.random(using: &random) ? "\"k1\"" : "[1]")"
        }
        text += "}"
      }
      text += "]"
      #expect(fault(in: text) == expected.map { .duplicateKey(at: $0) }, "\(text)")
    }
  }

  @Test(
    "A text that ends early is truncated",
    arguments: ["[", "{", #"{"a"#, #"{"a":1"#, #"["a\"#, #"["a\""#, #"{"a":{}"#, "[[]", #""abc"#])
  func truncated(_ text: String) {
    #expect(fault(in: text) == .truncated)
    #expect(fault(in: text, duplicates: false) == .truncated)
  }

  @Test("Every end of a text before its last byte is truncated")
  func prefixes() {
    let bytes = Array(#"{"a":[1,"x\"y",{"b\u00e9":null}],"c":"long enough for a word of eight bytes"}"#.utf8)
    for count in 1..<bytes.count { #expect(fault(in: Array(bytes.prefix(count))) == .truncated) }
    #expect(fault(in: bytes) == nil)
  }

  @Test("UTF-16 and UTF-32 are not UTF-8")
  func encodings() {
    for text in ["{}", "[1]"] {
      let units = Array(text.utf16)
      #expect(fault(in: units.flatMap { [UInt8($0), 0] }) == .notUTF8)
      #expect(fault(in: units.flatMap { [0, UInt8($0)] }) == .notUTF8)
      #expect(fault(in: [0xFF, 0xFE] + units.flatMap { [UInt8($0), 0] }) == .notUTF8)
      #expect(fault(in: units.flatMap { [0, 0, 0, UInt8($0)] }) == .notUTF8)
    }
  }

  @Test("A string's end is found at every alignment and length")
  func strings() {
    for length in 0..<40 {
      for lead in 0..<9 {
        let text = "[\(String(repeating: " ", count: lead))\"\(String(repeating: "é", count: length))\\\"\"]"
        #expect(fault(in: text) == nil)
        #expect(fault(in: text + "[") == .truncated)
      }
    }
  }

  @Test("Random bytes and damaged texts end without a trap")
  func damaged() {
    var random = SeededRandom(seed: 16)
    let valid = Array(#"{"a":[1,{"b":"c\u00e9"}],"d":{"e":null,"f":"\\"}}"#.utf8)
    let marks = Array(#"{}[]",:\u0aé"#.utf8)
    for _ in 0..<20_000 {
      var bytes = valid
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] =
          Bool.random(using: &random)
          ? marks.randomElement(using: &random) ?? 0 : UInt8.random(in: 0...255, using: &random)
      }
      if case .duplicateKey(let offset)? = fault(in: bytes) {
        #expect(bytes[offset] == UInt8(ascii: "\""))
        _ = FieldPath.text(JSONPlace.path(to: offset, in: bytes.span))
      }
    }
  }
}
