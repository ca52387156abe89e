import Interception

/// The value of a `Location` field as a URI reference, as servers write it (RFC 9110, section 10.2.2).
enum LocationText {
  /// Returns the value with each byte that a URI cannot contain percent-encoded; nil if it contains a control
  /// character, or bytes that were not UTF-8.
  ///
  /// Servers send spaces and UTF-8 unencoded. What is already encoded, and a percent sign that encodes
  /// nothing, is kept. A backslash is encoded: read as a slash, as browsers do, `/\host` would name a host.
  static func encoded(_ value: String) -> String? {
    let bytes = value.utf8[...].trimmingWhitespace()
    if bytes.allSatisfy(isLegal) { return String(Substring(bytes)) }
    // A transport reads bytes other than UTF-8 as this character, and what they were is lost.
    guard !bytes.contains("\u{FFFD}".utf8) else { return nil }
    var encoded: [UInt8] = []
    encoded.reserveCapacity(bytes.count + 16)
    for byte in bytes {
      guard byte >= 0x20, byte != 0x7F else { return nil }
      if isLegal(byte) {
        encoded.append(byte)
      } else {
        encoded.append(UInt8(ascii: "%"))
        encoded.append(hexadecimalDigit(byte >> 4))
        encoded.append(hexadecimalDigit(byte & 15))
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Whether a URI can contain a byte (RFC 3986, section 2), or servers and browsers accept it unencoded.
  private static func isLegal(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x21...0x7E: !"\"<>\\^`{|}".utf8.contains(byte)
    default: false
    }
  }

  private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
