/// Bytes as lower-case hexadecimal digits, and strictly back.
enum Hexadecimal {
  /// Writes two digits for each byte.
  static func encode(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: bytes.count * 2) { text in
      for (index, byte) in bytes.enumerated() {
        text[index * 2] = digit(byte >> 4)
        text[index * 2 + 1] = digit(byte & 15)
      }
      return bytes.count * 2
    }
  }

  /// Writes sixteen digits for each number, the most significant one first.
  static func encode(_ high: UInt64, _ low: UInt64) -> String {
    String(unsafeUninitializedCapacity: 32) { text in
      for index in 0..<16 {
        let shift = UInt64(60 - 4 * index)
        text[index] = digit(UInt8(truncatingIfNeeded: high >> shift) & 15)
        text[index + 16] = digit(UInt8(truncatingIfNeeded: low >> shift) & 15)
      }
      return 32
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
  }

  /// Reads exactly `count` bytes; nil for another length, an upper-case digit or anything else.
  static func decode(_ text: String, count: Int) -> [UInt8]? {
    guard text.utf8.count == count * 2 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var high: UInt8?
    for character in text.utf8 {
      guard let value = value(character) else { return nil }
      if let upper = high {
        bytes.append(upper << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return bytes
  }

  private static func value(_ character: UInt8) -> UInt8? {
    switch character {
    case 0x30...0x39: character - 0x30
    case 0x61...0x66: character - 0x61 + 10
    default: nil
    }
  }
}
