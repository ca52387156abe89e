/// A forward-only position in a source text that tracks its line and column.
struct SourceCursor: Sendable {
  private let bytes: [UInt8]
  private(set) var offset = 0
  private(set) var line = 1
  private var lineStart = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The column in bytes, starting at 1.
  var column: Int { offset - lineStart + 1 }

  /// Returns the byte `ahead` bytes after the cursor, or nil after the end.
  func peek(_ ahead: Int = 0) -> UInt8? {
    let index = offset + ahead
    return index < bytes.count ? bytes[index] : nil
  }

  /// Whether `count` bytes with a value begin `ahead` bytes after the cursor.
  func repeats(_ byte: UInt8, count: Int, ahead: Int = 0) -> Bool {
    (0..<count).allSatisfy { peek(ahead + $0) == byte }
  }

  /// Returns the number of consecutive bytes with a value that begin `ahead` bytes after the cursor.
  func run(of byte: UInt8, ahead: Int = 0) -> Int {
    var count = 0
    while peek(ahead + count) == byte { count += 1 }
    return count
  }

  /// Returns the text between an earlier offset and the cursor.
  func text(from start: Int) -> String { String(decoding: bytes[start..<offset], as: UTF8.self) }

  /// Advances by a number of bytes, but not past the end.
  mutating func advance(by count: Int = 1) {
    let target = min(offset + count, bytes.count)
    while offset < target {
      let byte = bytes[offset]
      offset += 1
      // A lone carriage return ends a line too; in a CRLF pair the newline ends it.
      if byte == ASCII.newline || (byte == ASCII.carriageReturn && peek() != ASCII.newline) {
        line += 1
        lineStart = offset
      }
    }
  }

  /// Advances to the end of the line, before its line break.
  mutating func advanceToEndOfLine() {
    while let byte = peek(), !ASCII.endsLine(byte) { advance() }
  }

  /// The length of the white space character at the cursor, or 0.
  ///
  /// The compiler treats a non-breaking space (U+00A0) as a space, with a warning, so it can separate
  /// `import` from a name.
  var spaceLength: Int {
    guard let byte = peek() else { return 0 }
    if ASCII.isSpace(byte) { return 1 }
    return byte == 0xC2 && peek(1) == 0xA0 ? 2 : 0
  }
}
