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
    for byte in bytes {
      if missing == 0 {
        guard byte >= 0x80 else { continue }
        guard begin(with: byte) else { return false }
      } else {
        guard allowed.contains(byte) else { return false }
        missing -= 1
        allowed = 0x80...0xBF
      }
    }
    return true
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
