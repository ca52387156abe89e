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

/// The bytes that have a meaning in Swift's lexical grammar.
enum ASCII {
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let tab = UInt8(ascii: "\t")
  static let exclamation = UInt8(ascii: "!")
  static let quote = UInt8(ascii: "\"")
  static let pound = UInt8(ascii: "#")
  static let dollar = UInt8(ascii: "$")
  static let openParenthesis = UInt8(ascii: "(")
  static let closeParenthesis = UInt8(ascii: ")")
  static let asterisk = UInt8(ascii: "*")
  static let comma = UInt8(ascii: ",")
  static let dot = UInt8(ascii: ".")
  static let slash = UInt8(ascii: "/")
  static let colon = UInt8(ascii: ":")
  static let semicolon = UInt8(ascii: ";")
  static let at = UInt8(ascii: "@")
  static let openBracket = UInt8(ascii: "[")
  static let backslash = UInt8(ascii: "\\")
  static let closeBracket = UInt8(ascii: "]")
  static let underscore = UInt8(ascii: "_")
  static let backtick = UInt8(ascii: "`")
  static let openBrace = UInt8(ascii: "{")
  static let closeBrace = UInt8(ascii: "}")
  static let lessThan = UInt8(ascii: "<")
  static let greaterThan = UInt8(ascii: ">")
  static let equals = UInt8(ascii: "=")
  static let hyphen = UInt8(ascii: "-")
  static let ampersand = UInt8(ascii: "&")
  static let question = UInt8(ascii: "?")

  static func endsLine(_ byte: UInt8) -> Bool { byte == newline || byte == carriageReturn }

  /// Whether the compiler treats the byte as white space, which includes NUL, with a warning.
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == space || (0x09...0x0D).contains(byte) || byte == 0
  }

  /// Whether the byte can be part of an identifier, a keyword or a number, as every non-ASCII byte can.
  static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), underscore, 0x80...:
      true
    default: false
    }
  }
}
