import Cryptography

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
      if case .item(let item) = entry.value, item.value == .boolean(true) {
        append(item.parameters)
      } else {
        append("=")
        append(entry.value)
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
