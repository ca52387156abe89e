import Interception

/// The tokens of JSON (RFC 8259); each function returns the offset after a token.
enum JSONSyntax {
  static func endOfSpace(in bytes: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x0A, 0x0D, 0x09: index &+= 1
      default: return index
      }
    }
    return index
  }

  static func endOfLiteral(
    _ literal: StaticString, in bytes: Span<UInt8>, from start: Int
  ) throws(JSONScan.Fault) -> Int {
    let count = literal.utf8CodeUnitCount
    guard start + count <= bytes.count else { throw .unexpected(at: start) }
    let isEqual = literal.withUTF8Buffer { text in
      for place in 0..<count where text[place] != bytes[start + place] { return false }
      return true
    }
    guard isEqual else { throw .unexpected(at: start) }
    return start + count
  }

  /// Section 6: an integer without leading zeros, then a fraction and an exponent, if any.
  static func endOfNumber(in bytes: Span<UInt8>, from start: Int) throws(JSONScan.Fault) -> Int {
    var index = start
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") { index += 1 }
    if index < bytes.count, bytes[index] == UInt8(ascii: "0") {
      index += 1
    } else {
      index = try endOfDigits(in: bytes, from: index)
    }
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index = try endOfDigits(in: bytes, from: index + 1)
    }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") {
        index += 1
      }
      index = try endOfDigits(in: bytes, from: index)
    }
    return index
  }

  private static func endOfDigits(in bytes: Span<UInt8>, from start: Int) throws(JSONScan.Fault) -> Int {
    var index = start
    while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index &+= 1 }
    guard index > start else { throw .unexpected(at: start) }
    return index
  }

  /// Returns the offset of the quotation mark that ends a string, and whether the string has escapes.
  static func endOfString(
    in bytes: Span<UInt8>, from start: Int
  ) throws(JSONScan.Fault) -> (end: Int, isEscaped: Bool) {
    var index = start
    var isEscaped = false
    while true {
      index = endOfPlainText(in: bytes, from: index, isStrict: true)
      guard index < bytes.count else { throw .truncated }
      switch bytes[index] {
      case UInt8(ascii: "\""): return (index, isEscaped)
      case UInt8(ascii: "\\"):
        isEscaped = true
        index = try endOfEscape(in: bytes, from: index)
      case 0..<0x20: throw .unexpected(at: index)
      case 0x80...: index = try endOfCharacter(in: bytes, from: index)
      default: index &+= 1
      }
    }
  }

  /// Returns the offset of the next quotation mark or backslash, or of one of the last seven bytes.
  ///
  /// - Parameter isStrict: Whether control characters and bytes that are not ASCII end plain text, too.
  @inline(__always)
  static func endOfPlainText(in bytes: Span<UInt8>, from start: Int, isStrict: Bool) -> Int {
    let raw = bytes.bytes
    var index = start
    while index &+ 8 <= raw.byteCount {
      let word = UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      let count = countOfPlainBytes(in: word, isStrict: isStrict)
      if count < 8 { return index &+ count }
      index &+= 8
    }
    return index
  }

  /// The number of bytes before the first quotation mark or backslash among eight, in the order of memory.
  @inline(__always)
  static func countOfPlainBytes(in word: UInt64, isStrict: Bool) -> Int {
    // A byte minus 0x20 or 0x01 borrows into its high bit if it was less.
    let quotes = word ^ 0x2222_2222_2222_2222
    let backslashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
    let others = isStrict ? (word &- 0x2020_2020_2020_2020) & ~word | word : 0
    let found =
      ((quotes &- 0x0101_0101_0101_0101) & ~quotes | (backslashes &- 0x0101_0101_0101_0101) & ~backslashes
        | others) & 0x8080_8080_8080_8080
    return found.trailingZeroBitCount / 8
  }

  /// Whether a word has neither a backslash nor a byte that is not ASCII.
  @inline(__always)
  static func hasOnlyPlainASCII(_ word: UInt64) -> Bool {
    let backslashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
    return (word | (backslashes &- 0x0101_0101_0101_0101) & ~backslashes) & 0x8080_8080_8080_8080 == 0
  }

  /// Returns the offset of the next quotation mark, bracket or brace, or of one of the last seven bytes.
  @inline(__always)
  static func endOfGap(in bytes: Span<UInt8>, from start: Int) -> Int {
    let raw = bytes.bytes
    var index = start
    while index &+ 8 <= raw.byteCount {
      let word = UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      let quotes = word ^ 0x2222_2222_2222_2222
      // A bit apart are "[" and "{", and "]" and "}".
      let opening = (word | 0x2020_2020_2020_2020) ^ 0x7B7B_7B7B_7B7B_7B7B
      let closing = (word | 0x2020_2020_2020_2020) ^ 0x7D7D_7D7D_7D7D_7D7D
      let found =
        ((quotes &- 0x0101_0101_0101_0101) & ~quotes | (opening &- 0x0101_0101_0101_0101) & ~opening
          | (closing &- 0x0101_0101_0101_0101) & ~closing) & 0x8080_8080_8080_8080
      if found != 0 { return index &+ found.trailingZeroBitCount / 8 }
      index &+= 8
    }
    return index
  }

  /// Section 7; the halves of a surrogate pair must be together.
  private static func endOfEscape(in bytes: Span<UInt8>, from start: Int) throws(JSONScan.Fault) -> Int {
    guard start + 1 < bytes.count else { throw .truncated }
    switch bytes[start + 1] {
    case UInt8(ascii: "u"):
      let unit = try codeUnit(in: bytes, from: start)
      if UTF16.isTrailSurrogate(unit) { throw .unexpected(at: start) }
      guard UTF16.isLeadSurrogate(unit) else { return start + 6 }
      guard start + 6 < bytes.count else { throw .truncated }
      guard bytes[start + 6] == UInt8(ascii: "\\") else { throw .unexpected(at: start) }
      guard start + 7 < bytes.count else { throw .truncated }
      guard bytes[start + 7] == UInt8(ascii: "u"),
        UTF16.isTrailSurrogate(try codeUnit(in: bytes, from: start + 6))
      else { throw .unexpected(at: start) }
      return start + 12
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return start + 2
    default: throw .unexpected(at: start + 1)
    }
  }

  /// Returns the code unit of an escape with four hexadecimal digits.
  private static func codeUnit(
    in bytes: Span<UInt8>, from start: Int
  ) throws(JSONScan.Fault) -> UTF16.CodeUnit {
    var unit: UTF16.CodeUnit = 0
    for place in start + 2..<start + 6 {
      guard place < bytes.count else { throw .truncated }
      guard let digit = bytes[place].hexadecimalValue else { throw .unexpected(at: place) }
      unit = unit << 4 | UTF16.CodeUnit(digit)
    }
    return unit
  }

  /// A character of two to four bytes, by table 3-7 of the Unicode Standard.
  private static func endOfCharacter(in bytes: Span<UInt8>, from start: Int) throws(JSONScan.Fault) -> Int {
    let (count, second): (Int, ClosedRange<UInt8>) =
      switch bytes[start] {
      case 0xC2...0xDF: (2, 0x80...0xBF)
      case 0xE0: (3, 0xA0...0xBF)
      case 0xED: (3, 0x80...0x9F)
      case 0xE1...0xEF: (3, 0x80...0xBF)
      case 0xF0: (4, 0x90...0xBF)
      case 0xF1...0xF3: (4, 0x80...0xBF)
      case 0xF4: (4, 0x80...0x8F)
      default: throw .unexpected(at: start)
      }
    for place in 1..<count {
      guard start + place < bytes.count else { throw .truncated }
      let allowed = place == 1 ? second : 0x80...0xBF
      guard allowed.contains(bytes[start + place]) else { throw .unexpected(at: start) }
    }
    return start + count
  }
}
