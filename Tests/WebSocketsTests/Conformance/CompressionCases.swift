import SwitchyardTesting

@testable import WebSockets

// Sections 12 and 13: messages of several kinds and sizes with permessage-deflate, in both directions.
extension ConformanceCase {
  /// The cases of sections 12 and 13.
  ///
  /// In 13.7 the server prefers `client_max_window_bits` besides, and does without it where a client does not
  /// offer it.
  static let compressed: [ConformanceCase] =
    [SampleText.records, .picture, .prose, .page, .document].enumerated().flatMap { index, sample in
      compressed("12.\(index + 1)", sample, ConformanceCompression())
    } + compressed("13.1", .records, ConformanceCompression())
    + compressed("13.2", .records, ConformanceCompression(parameters: "; client_no_context_takeover"))
    + compressed("13.7", .records, ConformanceCompression(parameters: "; client_no_context_takeover"))

  /// The length of the messages, and of their fragments; 0 for one fragment.
  private static let lengths: [(message: Int, fragment: Int)] = [
    (16, 0), (64, 0), (256, 0), (1024, 0), (4096, 0), (8192, 0), (16_384, 0), (32_768, 0), (65_536, 0),
    (131_072, 0), (8192, 256), (16_384, 256), (32_768, 256), (65_536, 256), (131_072, 256), (131_072, 1024),
    (131_072, 4096), (131_072, 32_768),
  ]

  /// The list has a thousand messages in each case, because it measures their time.
  private static func compressed(
    _ section: String, _ sample: SampleText, _ compression: ConformanceCompression
  ) -> [ConformanceCase] {
    lengths.enumerated().map { index, lengths in
      let count = min(max((16 << 10) / lengths.message, 2), 20)
      let fragments = lengths.fragment == 0 ? "" : " in fragments of \(lengths.fragment)"
      return ConformanceCase(
        "\(section).\(index + 1)",
        "\(count) times \(lengths.message) bytes of \(sample.title)\(fragments), \(compression.field)",
        scope: [0, 8, 13].contains(index) ? .everywhere : .reader, compression: compression
      ) {
        try compression.exchanges(
          isBinary: sample.isBinary, (0..<count).map { sample.message($0, count: lengths.message) },
          fragmentLength: lengths.fragment == 0 ? .max : lengths.fragment)
      }
    }
  }
}

/// Content from which messages are cut, one after the other and from the beginning again.
struct SampleText: Sendable {
  let title: String
  /// Whether it is sent in binary messages.
  let isBinary: Bool
  private let bytes: [UInt8]

  /// Returns the message of a number, among messages of the same length.
  func message(_ number: Int, count: Int) -> [UInt8] {
    let start = number * count % bytes.count
    let first = bytes[start..<min(start + count, bytes.count)]
    return Array(first + bytes.prefix(count - first.count))
  }

  /// The length of each sample: no message is longer, and no length of a message divides it.
  private static let length = 200_003

  private init(
    _ title: String, isBinary: Bool, seed: UInt64, _ part: (_ number: Int, inout SeededRandom) -> [UInt8]
  ) {
    var random = SeededRandom(seed: seed)
    var bytes: [UInt8] = []
    var number = 0
    while bytes.count < Self.length {
      bytes += part(number, &random)
      number += 1
    }
    self.title = title
    self.isBinary = isBinary
    self.bytes = Array(bytes.prefix(Self.length))
  }

  static let records = SampleText("JSON", isBinary: false, seed: 1) { number, random in
    let price = Int.random(in: 90_000...900_000, using: &random)
    let beds = Int.random(in: 1...6, using: &random)
    return Array(#"{"id":\#(number),"kind":"house","price":\#(price),"beds":\#(beds),"sold":false},"#.utf8)
  }

  static let picture = SampleText("a picture", isBinary: true, seed: 2) { row, random in
    let noise = random.next()
    return (0..<512).map { column in
      UInt8(truncatingIfNeeded: (row + column) / 4) &+ UInt8(noise >> UInt64(column % 64) & 1)
    }
  }

  static let prose = SampleText("German prose", isBinary: true, seed: 3) { number, random in
    let words = ["das", "Haus", "steht", "über", "dem", "Fluß", "und", "gehört", "einer", "Bäuerin", "heute"]
    let sentence = (0..<12).compactMap { _ in words.randomElement(using: &random) }.joined(separator: " ")
    return Array("\(sentence).\n".utf8)
  }

  static let page = SampleText("HTML", isBinary: false, seed: 4) { number, random in
    let price = Int.random(in: 90_000...900_000, using: &random)
    return Array(#"<li class="house"><a href="/houses/\#(number)">\#(price) euros</a></li>"#.utf8) + [0x0A]
  }

  /// Mostly bytes that do not become shorter.
  static let document = SampleText("a compressed document", isBinary: true, seed: 5) { number, random in
    let content = (0..<120).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
    return Array("\(number) 0 obj << /Length \(content.count) >> stream\n".utf8) + content
  }
}
