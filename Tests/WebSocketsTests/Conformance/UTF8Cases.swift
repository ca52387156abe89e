@testable import WebSockets

// Section 6: texts that are UTF-8, or are not.
extension ConformanceCase {
  static let texts: [ConformanceCase] =
    emptyFragments + validTexts + invalidTexts + failFast + UTF8Cases.sequences

  private static let middle = Array("the middle".utf8)

  private static let emptyFragments: [ConformanceCase] = [
    ConformanceCase("6.1.1", "an empty text", Exchange(isBinary: false, [])),
    ConformanceCase(
      "6.1.2", "a text of three empty fragments",
      Exchange(
        [.text("", isFinal: false), .continuation([], isFinal: false), .continuation([])],
        replies: [.text([])])),
    ConformanceCase(
      "6.1.3", "a text of three fragments, of which only the second one is not empty",
      Exchange(
        [.text("", isFinal: false), .continuation(middle, isFinal: false), .continuation([])],
        replies: [.text(middle)])),
  ]

  private static let german = Array("Küche, Bäder: 5 €/m²".utf8)
  private static let start = Array("Küche, ".utf8)

  private static let validTexts: [ConformanceCase] = [
    ConformanceCase(
      "6.2.1", "a text with characters of two and three bytes", Exchange(isBinary: false, german)),
    ConformanceCase(
      "6.2.2", "a text that is cut between two characters",
      Exchange(
        [
          ServerFrame(opcode: 1, isFinal: false, payload: start),
          .continuation(Array(german.dropFirst(start.count))),
        ], replies: [.text(german)])),
    ConformanceCase(
      "6.2.3", "a text in fragments of one byte", Exchange(isBinary: false, german, fragmentLength: 1)),
    ConformanceCase(
      "6.2.4", "a Greek word in fragments of one byte",
      Exchange(isBinary: false, UTF8Cases.word, fragmentLength: 1)),
  ]

  private static let rest = Array("later!".utf8)
  private static let surrogate: [UInt8] = [0xED, 0xA0, 0x80]
  private static let broken = UTF8Cases.word + surrogate + rest

  private static let invalidTexts: [ConformanceCase] = [
    ConformanceCase(
      "6.3.1", "a text with the bytes of a surrogate", end: .failed(.invalidPayload),
      Exchange([ServerFrame(opcode: 1, payload: broken)])),
    ConformanceCase(
      "6.3.2", "a text with the bytes of a surrogate, in fragments of one byte",
      end: .failed(.invalidPayload),
      Exchange(ServerFrame.fragments(isBinary: false, broken, of: 1))),
  ]

  /// The first two bytes of a value above U+10FFFF; the second one shows it.
  private static let tooLarge: [UInt8] = [0xF4, 0x90]

  /// The server sends valid bytes, then invalid ones, and never the rest of the text.
  private static let failFast: [ConformanceCase] = [
    ConformanceCase(
      "6.4.1", "a value above U+10FFFF in the second of three fragments", end: .failed(.invalidPayload),
      isFailFast: true,
      Exchange(
        [
          ServerFrame(opcode: 1, isFinal: false, payload: UTF8Cases.word),
          .continuation(tooLarge + [0x80, 0x80], isFinal: false),
        ], in: .frames)),
    ConformanceCase(
      "6.4.2", "a value above U+10FFFF that is cut before the byte that shows it, in fragments",
      end: .failed(.invalidPayload), isFailFast: true,
      Exchange(
        [
          ServerFrame(opcode: 1, isFinal: false, payload: UTF8Cases.word + tooLarge.prefix(1)),
          .continuation(Array(tooLarge.suffix(1)), isFinal: false),
        ], in: .frames)),
    ConformanceCase(
      "6.4.3", "a value above U+10FFFF in the second of three writes of a frame",
      end: .failed(.invalidPayload), isFailFast: true,
      Exchange(writes: writes(UTF8Cases.word, tooLarge + [0x80, 0x80], rest))),
    ConformanceCase(
      "6.4.4", "a value above U+10FFFF that is cut before the byte that shows it, in writes of a frame",
      end: .failed(.invalidPayload), isFailFast: true,
      Exchange(writes: writes(UTF8Cases.word + tooLarge.prefix(1), Array(tooLarge.suffix(1)), rest))),
  ]

  /// Two writes of a frame whose third part is not sent.
  private static func writes(_ first: [UInt8], _ second: [UInt8], _ withheld: [UInt8]) -> [[UInt8]] {
    let frame = ServerFrame(opcode: 1, payload: first + second + withheld).bytes
    let start = frame.count - withheld.count - second.count
    return [Array(frame[..<start]), second]
  }
}

/// The sequences of bytes by which Markus Kuhn's stress test examines decoders, as sections 6.5 to 6.23 have
/// them.
enum UTF8Cases {
  /// A Greek word of characters of two and three bytes.
  ///
  /// It is written in bytes, because an editor may change the form of its accent.
  static let word = bytes("CEBAE1BDB9CF83CEBCCEB5")

  private struct Group {
    let title: String
    let sequences: [(bytes: [UInt8], isValid: Bool)]

    init(_ title: String, valid: [[UInt8]] = [], invalid: [[UInt8]] = []) {
      self.title = title
      sequences =
        valid.map { (bytes: $0, isValid: true) } + invalid.map { (bytes: $0, isValid: false) }
    }

    init(_ title: String, valid: String, invalid: String = "") {
      self.init(title, valid: UTF8Cases.list(valid), invalid: UTF8Cases.list(invalid))
    }

    init(_ title: String, invalid: String) {
      self.init(title, invalid: UTF8Cases.list(invalid))
    }

    /// Every beginning of a text, of which those that end with a character are valid.
    init(_ title: String, beginningsOf text: [UInt8], valid: Set<Int>) {
      self.title = title
      sequences = (1...text.count).map { (bytes: Array(text.prefix($0)), isValid: valid.contains($0)) }
    }
  }

  static let sequences = groups.enumerated().flatMap { index, group in
    group.sequences.enumerated().map { number, sequence in
      let shown = sequence.bytes.count > 12 ? "\(sequence.bytes.count) bytes" : hex(sequence.bytes)
      return ConformanceCase(
        "6.\(index + 5).\(number + 1)", "\(group.title): \(shown)",
        end: sequence.isValid ? .echo : .failed(.invalidPayload),
        Exchange(
          [ServerFrame(opcode: 1, payload: sequence.bytes)],
          replies: sequence.isValid ? [.text(sequence.bytes)] : []))
    }
  }

  private static let around = Array("price: ".utf8)

  private static let groups = [
    Group(
      "text", valid: list("24 C2A2 E282AC F0A4ADA2").map { around + $0 + around } + [word]),
    Group("beginning of a text", beginningsOf: word, valid: [2, 5, 7, 9, 11]),
    Group("first sequence of its length", valid: "00 C280 E0A080 F0908080"),
    Group("first sequence of five or six bytes", invalid: "F888808080 FC8480808080"),
    Group("last sequence of its length", valid: "7F DFBF EFBFBF F48FBFBF"),
    Group("last sequence of four to six bytes", invalid: "F7BFBFBF FBBFBFBFBF FDBFBFBFBFBF"),
    Group("boundary", valid: "ED9FBF EE8080 EFBFBD F48FBFBF", invalid: "F4908080"),
    Group(
      "bytes that continue nothing",
      invalid: list("80 BF 80BF 80BF80 80BF80BF 80BF80BF80 80BF80BF80BF") + [Array(0x80...0xBE)]),
    Group(
      "starts that nothing continues",
      invalid: [0xC0...0xDE, 0xE0...0xEE, 0xF0...0xF6, 0xF8...0xFA, 0xFC...0xFC].map(separated)),
    Group("sequence without its last byte", invalid: incomplete),
    Group("sequences without their last bytes", invalid: [Array(incomplete.joined())]),
    Group("impossible bytes", invalid: "FE FF FEFEFFFF"),
    Group("overlong slash", invalid: "C0AF E080AF F08080AF F8808080AF FC80808080AF"),
    Group("largest overlong sequence", invalid: "C1BF E09FBF F08FBFBF F887BFBFBF FC83BFBFBFBF"),
    Group("overlong NUL", invalid: "C080 E08080 F0808080 F880808080 FC8080808080"),
    Group("surrogate", invalid: "EDA080 EDADBF EDAE80 EDAFBF EDB080 EDBE80 EDBFBF"),
    Group(
      "pair of surrogates",
      invalid: "EDA080EDB080 EDA080EDBFBF EDADBFEDB080 EDADBFEDBFBF EDAE80EDB080 EDAE80EDBFBF EDAFBFEDB080 "
        + "EDAFBFEDBFBF"),
    Group("noncharacter", valid: noncharacters),
    Group("special character", valid: "EFBFB9 EFBFBA EFBFBB EFBFBC EFBFBD EFBFBE EFBFBF"),
  ]

  private static let incomplete = list(
    "C0 E080 F08080 F8808080 FC80808080 DF EFBF F7BFBF FBBFBFBF FDBFBFBFBF")

  /// The last two values of each plane.
  private static let noncharacters: [[UInt8]] = (0...16).flatMap { (plane: UInt32) in
    [0xFFFE, 0xFFFF].compactMap { (value: UInt32) in
      Unicode.Scalar(plane << 16 | value).map { Array(String($0).utf8) }
    }
  }

  private static func separated(_ starts: ClosedRange<UInt8>) -> [UInt8] { starts.flatMap { [$0, 0x20] } }

  /// Reads hexadecimal sequences that spaces separate.
  private static func list(_ text: String) -> [[UInt8]] { text.split(separator: " ").map { bytes($0) } }

  private static func bytes(_ text: some StringProtocol) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
  }
}
