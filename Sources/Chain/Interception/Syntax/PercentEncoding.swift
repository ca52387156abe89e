/// Percent-encoding (RFC 3986, section 2.1).
package enum PercentEncoding {
  /// Whether a byte is an unreserved character (RFC 3986, section 2.3), which needs no encoding anywhere.
  @inlinable
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: false
    }
  }

  /// Whether a URL can contain a byte unencoded (RFC 3986, section 2); percent signs and brackets are not
  /// checked any further.
  package static func isLegal(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && !"\"<>\\^`{|}".utf8.contains(byte)
  }

  /// Encodes all but unreserved characters, for a path segment or for a name or value of a query.
  package static func component(_ text: String) -> String { encode(text.utf8, keeping: isUnreserved) }

  /// Encodes a name or value of a form: as ``component(_:)`` does, but a space is a plus sign.
  package static func form(_ text: String) -> String {
    text.utf8.split(separator: 0x20, omittingEmptySubsequences: false)
      .map { encode($0, keeping: isUnreserved) }.joined(separator: "+")
  }

  /// Encodes the characters not allowed in a path; slashes and percent-encoded triplets are kept.
  package static func path(_ text: String) -> String {
    var encoded: [UInt8] = []
    let bytes = Array(text.utf8)
    for (index, byte) in bytes.enumerated() {
      let isTriplet =
        byte == UInt8(ascii: "%") && index + 2 < bytes.count && bytes[index + 1].hexadecimalValue != nil
        && bytes[index + 2].hexadecimalValue != nil
      if isTriplet || isUnreserved(byte) || "/!$&'()*+,;=:@".utf8.contains(byte) {
        encoded.append(byte)
      } else {
        append(byte, to: &encoded)
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Encodes all bytes but those that a closure accepts.
  @inlinable
  package static func encode(_ bytes: some Sequence<UInt8>, keeping isKept: (UInt8) -> Bool) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.underestimatedCount)
    for byte in bytes { if isKept(byte) { text.append(byte) } else { append(byte, to: &text) } }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes triplets; nil if a percent sign does not begin one, or the bytes are not UTF-8.
  package static func decoded(_ bytes: some Collection<UInt8>) -> String? {
    guard bytes.contains(UInt8(ascii: "%")) else { return String(validating: bytes, as: UTF8.self) }
    return decodedBytes(bytes).flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// Decodes triplets; nil if a percent sign does not begin one.
  package static func decodedBytes(_ bytes: some Collection<UInt8>) -> [UInt8]? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        decoded.append(byte)
        continue
      }
      guard let high = rest.popFirst()?.hexadecimalValue, let low = rest.popFirst()?.hexadecimalValue else {
        return nil
      }
      decoded.append(high << 4 | low)
    }
    return decoded
  }

  /// Appends the triplet of a byte: a percent sign and two upper-case hexadecimal digits.
  @inlinable
  package static func append(_ byte: UInt8, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "%"))
    text.append(digit(byte >> 4))
    text.append(digit(byte & 15))
  }

  /// Returns the upper-case digit of a half byte.
  @inlinable
  package static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") - 10 + value
  }
}

extension UInt8 {
  /// The value of the byte as a hexadecimal digit in ASCII, in upper or lower case; nil for any other byte.
  @inlinable
  package var hexadecimalValue: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x41 + 10
    case 0x61...0x66: self - 0x61 + 10
    default: nil
    }
  }
}
