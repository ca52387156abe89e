/// Base 64 with padding (RFC 4648, section 4).
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: .max, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// Returns the encoded bytes.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    encode(bytes, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the encoded bytes to a text.
  package static func encode(_ bytes: [UInt8], to text: inout [UInt8]) {
    text.reserveCapacity(text.count + (bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let count = min(3, bytes.count - index)
      var group: UInt32 = 0
      for offset in 0..<3 { group = group << 8 | (offset < count ? UInt32(bytes[index + offset]) : 0) }
      for position in 0..<4 {
        let isPadding = position > count
        text.append(isPadding ? UInt8(ascii: "=") : alphabet[Int(group >> UInt32(18 - 6 * position) & 63)])
      }
      index += 3
    }
  }

  /// Decodes the canonical form only, so that bytes have one spelling; nil for any other text.
  package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard text.count.isMultiple(of: 4) else { return nil }
    let padding = text.reversed().prefix(2).prefix { $0 == UInt8(ascii: "=") }.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var (group, bits): (UInt32, UInt32) = (0, 0)
    for character in text.dropLast(padding) {
      let value = values[Int(character)]
      guard value < 64 else { return nil }
      (group, bits) = (group << 6 | UInt32(value), bits + 6)
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: group >> bits))
      }
    }
    // The bits that no byte uses must be zero.
    return group & (1 << bits - 1) == 0 ? bytes : nil
  }
}
