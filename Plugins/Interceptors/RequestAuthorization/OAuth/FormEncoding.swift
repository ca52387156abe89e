/// The encoding `application/x-www-form-urlencoded` and percent-encoding, in UTF-8.
enum FormEncoding {
  /// Returns names and values as the body of a form.
  static func body(_ fields: [(name: String, value: String)]) -> String {
    fields.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
  }

  /// Returns a name or a value as in a form: spaces become plus signs.
  static func encoded(_ text: String) -> String { encoded(text, space: "+") }

  /// Returns a text in which all but unreserved characters (RFC 3986, section 2.3) are percent-encoded.
  static func percentEncoded(_ text: String) -> String { encoded(text, space: "%20") }

  private static func encoded(_ text: String, space: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var encoded: [UInt8] = []
    encoded.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        encoded.append(byte)
      case 0x20: encoded.append(contentsOf: space.utf8)
      default: encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}
