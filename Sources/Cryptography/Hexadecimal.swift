/// Encodes bytes as lower-case hexadecimal digits, and decodes them strictly.
package enum Hexadecimal {
  /// Returns two digits per byte.
  package static func encode(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: bytes.count * 2) { text in
      for (index, byte) in bytes.enumerated() {
        text[index * 2] = digit(byte >> 4)
        text[index * 2 + 1] = digit(byte & 15)
      }
      return bytes.count * 2
    }
  }

  /// Returns sixteen digits per number, most significant first.
  package static func encode(_ high: UInt64, _ low: UInt64) -> String {
    String(unsafeUninitializedCapacity: 32) { text in
      let text = UnsafeMutableRawBufferPointer(text)
      write(high, to: text, at: 0)
      write(low, to: text, at: 16)
      return 32
    }
  }

  /// Returns the 64 digits of a hash.
  package static func encode(_ hash: HashValue) -> String { encode(hash, after: "") }

  /// Returns a prefix and the 64 digits of a hash.
  package static func encode(_ hash: HashValue, after prefix: String) -> String {
    let start = prefix.utf8.count
    return String(unsafeUninitializedCapacity: start + 2 * Digest.size) { text in
      _ = text.update(fromContentsOf: prefix.utf8)
      let text = UnsafeMutableRawBufferPointer(text)
      hash.withBytes { bytes in
        for offset in stride(from: 0, to: Digest.size, by: 8) {
          let number = UInt64(bigEndian: bytes.load(fromByteOffset: offset, as: UInt64.self))
          write(number, to: text, at: start + offset * 2)
        }
      }
      return start + 2 * Digest.size
    }
  }

  private static func write(_ number: UInt64, to text: UnsafeMutableRawBufferPointer, at offset: Int) {
    let (high, low) = (UInt32(truncatingIfNeeded: number >> 32), UInt32(truncatingIfNeeded: number))
    text.storeBytes(of: digits(high).bigEndian, toByteOffset: offset, as: UInt64.self)
    text.storeBytes(of: digits(low).bigEndian, toByteOffset: offset + 8, as: UInt64.self)
  }

  /// The eight digits of a number as eight bytes, most significant first.
  private static func digits(_ number: UInt32) -> UInt64 {
    // Spreads the half bytes over eight bytes, in three steps.
    var digits = UInt64(number)
    digits = (digits << 16 | digits) & 0x0000_FFFF_0000_FFFF
    digits = (digits << 8 | digits) & 0x00FF_00FF_00FF_00FF
    digits = (digits << 4 | digits) & 0x0F0F_0F0F_0F0F_0F0F
    // Adding six to a value above nine carries into the upper half byte; the letters follow the digits at a
    // distance of 39.
    let letters = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return digits &+ 0x3030_3030_3030_3030 &+ letters &* 39
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
  }

  /// Decodes exactly `count` bytes; nil for another length, an upper-case digit or any other character.
  package static func decode(_ text: String, count: Int) -> [UInt8]? {
    guard text.utf8.count == count * 2 else { return nil }
    // The bits of all values; a value above 15 is none.
    var all: UInt8 = 0
    var text = text
    let bytes = text.withUTF8 { digits in
      [UInt8](unsafeUninitializedCapacity: count) { bytes, end in
        for index in 0..<count {
          let (high, low) = (value(digits[2 * index]), value(digits[2 * index + 1]))
          all |= high | low
          bytes[index] = high << 4 | low & 15
        }
        end = count
      }
    }
    return all < 16 ? bytes : nil
  }

  /// The value of a digit; 255 for any other character.
  private static func value(_ character: UInt8) -> UInt8 {
    switch character {
    case 0x30...0x39: character - 0x30
    case 0x61...0x66: character - 0x61 + 10
    default: 255
    }
  }
}
