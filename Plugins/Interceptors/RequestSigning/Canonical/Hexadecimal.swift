/// Bytes as lower-case hexadecimal digits, and strictly back.
enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  /// Writes two digits for each byte.
  static func encode(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
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
