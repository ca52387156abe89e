/// Writes structured fields in their canonical form (RFC 9651, section 4.1).
struct StructuredFieldWriter {
  /// The text written so far, in ASCII.
  private(set) var bytes: [UInt8] = []

  /// The text written so far.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func append(_ dictionary: StructuredDictionary) {
    for (index, entry) in dictionary.entries.enumerated() {
      if index > 0 { append(", ") }
      append(entry.key)
      if case .item(let item) = entry.member, item.value == .boolean(true) {
        append(item.parameters)
      } else {
        append("=")
        append(entry.member)
      }
    }
  }

  mutating func append(_ list: [StructuredMember]) {
    for (index, member) in list.enumerated() {
      if index > 0 { append(", ") }
      append(member)
    }
  }

  mutating func append(_ member: StructuredMember) {
    switch member {
    case .item(let item): append(item)
    case .innerList(let list): append(list)
    }
  }

  mutating func append(_ list: StructuredInnerList) {
    append("(")
    for (index, item) in list.items.enumerated() {
      if index > 0 { append(" ") }
      append(item)
    }
    append(")")
    append(list.parameters)
  }

  mutating func append(_ item: StructuredItem) {
    append(item.value)
    append(item.parameters)
  }

  mutating func append(_ parameters: StructuredParameters) {
    for entry in parameters.entries {
      append(";")
      append(entry.key)
      guard entry.value != .boolean(true) else { continue }
      append("=")
      append(entry.value)
    }
  }

  mutating func append(_ value: BareItem) {
    switch value {
    case .integer(let number): append(String(number))
    case .decimal(let thousandths): append(thousandths: thousandths)
    case .string(let text): append(quoted: text)
    case .token(let text): append(text)
    case .bytes(let content):
      append(":")
      Base64.encode(content, to: &bytes)
      append(":")
    case .boolean(let isTrue): append(isTrue ? "?1" : "?0")
    case .date(let seconds): append("@\(seconds)")
    case .displayString(let text): append(display: text)
    }
  }

  private mutating func append(thousandths: Int64) {
    if thousandths < 0 { append("-") }
    let magnitude = thousandths.magnitude
    append("\(magnitude / 1_000).")
    var digits = Array(String(1_000 + magnitude % 1_000).utf8.dropFirst())
    while digits.count > 1, digits.last == UInt8(ascii: "0") { digits.removeLast() }
    bytes.append(contentsOf: digits)
  }

  private mutating func append(quoted text: String) {
    append("\"")
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { append("\\") }
      bytes.append(byte)
    }
    append("\"")
  }

  private mutating func append(display text: String) {
    append("%\"")
    let digits = Array("0123456789abcdef".utf8)
    for byte in text.utf8 {
      if (0x20...0x7E).contains(byte), byte != UInt8(ascii: "%"), byte != UInt8(ascii: "\"") {
        bytes.append(byte)
      } else {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(digits[Int(byte >> 4)])
        bytes.append(digits[Int(byte & 15)])
      }
    }
    append("\"")
  }
}

/// Base 64 with padding (RFC 4648, section 4), as byte sequences of structured fields use it.
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: .max, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// Appends the encoded bytes to a text.
  static func encode(_ bytes: [UInt8], to text: inout [UInt8]) {
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
  static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
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
