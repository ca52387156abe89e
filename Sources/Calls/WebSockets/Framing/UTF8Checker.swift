/// Checks that bytes which come in pieces are UTF-8 (RFC 3629), and reports a fault at the first wrong byte.
///
/// Overlong forms, surrogates and values above U+10FFFF are wrong. The pieces may be cut within a character.
struct UTF8Checker: Sendable, Hashable {
  /// The number of bytes that the current character lacks.
  private var missing = 0
  /// The values that its next byte may have.
  private var allowed: ClosedRange<UInt8> = 0x80...0xBF

  /// Whether the bytes so far end with a complete character.
  var isComplete: Bool { missing == 0 }

  /// Checks the next piece; returns false at a byte that no continuation could make valid.
  mutating func accept(_ bytes: ArraySlice<UInt8>) -> Bool {
    let span = bytes.span
    var index = 0
    while index < span.count {
      if missing == 0 { index = Self.endOfASCII(span, from: index) }
      guard index < span.count else { return true }
      let byte = span[index]
      if missing == 0 {
        guard begin(with: byte) else { return false }
      } else {
        guard allowed.contains(byte) else { return false }
        missing -= 1
        allowed = 0x80...0xBF
      }
      index += 1
    }
    return true
  }

  /// Returns the index of the first byte that is no ASCII character; most texts have few of them.
  private static func endOfASCII(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var index = start
    let raw = unsafe bytes.bytes
    while index + 8 <= bytes.count {
      let word = unsafe raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
      guard word & 0x8080_8080_8080_8080 == 0 else { break }
      index += 8
    }
    while index < bytes.count, bytes[index] < 0x80 { index += 1 }
    return index
  }

  private mutating func begin(with byte: UInt8) -> Bool {
    switch byte {
    case 0xC2...0xDF: (missing, allowed) = (1, 0x80...0xBF)
    case 0xE0: (missing, allowed) = (2, 0xA0...0xBF)
    case 0xED: (missing, allowed) = (2, 0x80...0x9F)
    case 0xE1...0xEF: (missing, allowed) = (2, 0x80...0xBF)
    case 0xF0: (missing, allowed) = (3, 0x90...0xBF)
    case 0xF1...0xF3: (missing, allowed) = (3, 0x80...0xBF)
    case 0xF4: (missing, allowed) = (3, 0x80...0x8F)
    default: return false
    }
    return true
  }
}
