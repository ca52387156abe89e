/// A place in a source text that only moves forward and knows its line and column.
struct SourceCursor: Sendable {
  private let bytes: [UInt8]
  private(set) var offset = 0
  private(set) var line = 1
  private var lineStart = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The column in bytes, counted from 1.
  var column: Int { offset - lineStart + 1 }

  /// The byte that lies `ahead` of here, or nil behind the end.
  func peek(_ ahead: Int = 0) -> UInt8? {
    let index = offset + ahead
    return index < bytes.count ? bytes[index] : nil
  }

  /// Whether `count` equal bytes begin `ahead` of here.
  func repeats(_ byte: UInt8, count: Int, ahead: Int = 0) -> Bool {
    (0..<count).allSatisfy { peek(ahead + $0) == byte }
  }

  /// How many equal bytes begin `ahead` of here.
  func run(of byte: UInt8, ahead: Int = 0) -> Int {
    var count = 0
    while peek(ahead + count) == byte { count += 1 }
    return count
  }

  /// The text between an earlier offset and here.
  func text(from start: Int) -> String { String(decoding: bytes[start..<offset], as: UTF8.self) }

  /// Moves on by as many bytes, not past the end.
  mutating func advance(by count: Int = 1) {
    let target = min(offset + count, bytes.count)
    while offset < target {
      let byte = bytes[offset]
      offset += 1
      // A carriage return alone ends a line too; one before a newline leaves that to the newline.
      if byte == ASCII.newline || (byte == ASCII.carriageReturn && peek() != ASCII.newline) {
        line += 1
        lineStart = offset
      }
    }
  }

  /// Moves to the end of the line, before what ends it.
  mutating func advanceToEndOfLine() {
    while let byte = peek(), !ASCII.endsLine(byte) { advance() }
  }

  /// How many bytes of white space begin here, all of one kind.
  ///
  /// The compiler reads a non-breaking space (U+00A0) as a space and warns, so it separates `import` from a
  /// name.
  var spaceLength: Int {
    guard let byte = peek() else { return 0 }
    if ASCII.isSpace(byte) { return 1 }
    return byte == 0xC2 && peek(1) == 0xA0 ? 2 : 0
  }
}
