import Interception

/// The percent-encoding of the names and values of `@query-param` (RFC 9421, section 2.2.8): that of the URL
/// Standard's forms, with spaces as `%20`.
enum FormEncoding {
  /// Encodes all bytes but letters, digits and `*-._`.
  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for byte in bytes {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: text.append(byte)
      case UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): text.append(byte)
      default:
        text.append(UInt8(ascii: "%"))
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the encoded values of the parameters with an encoded name, in the order of the query.
  static func values(of name: String, inQueryOf path: String) -> [String] {
    let pairs = QueryPairs(path)
    return pairs.bounds.compactMap { bounds in
      guard encode(pairs.bytes[bounds.start..<bounds.middle]) == name else { return nil }
      return encode(pairs.bytes[bounds.middle..<bounds.end])
    }
  }
}
