/// The names and values of a query or form, in order; a name may occur more than once.
///
/// ```swift
/// var fields: FormFields = ["city": "Lisbon", "page": "2", "sort": nil]
/// fields.append("amenity", "garden")
/// ```
///
/// A nil value is omitted. Names and values are percent-encoded when they are sent.
public struct FormFields: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  private var text = ""

  /// Creates fields from a literal; a nil value is omitted.
  public init(dictionaryLiteral elements: (String, String?)...) {
    for (name, value) in elements { append(name, value) }
  }

  /// Creates fields from names and values.
  public init(_ pairs: some Sequence<(String, String)>) {
    for (name, value) in pairs { append(name, value) }
  }

  /// Appends a field; nil is omitted.
  public mutating func append(_ name: String, _ value: String?) {
    guard let value else { return }
    if !text.isEmpty { text += "&" }
    text += PercentEncoding.component(name)
    text += "="
    text += PercentEncoding.component(value)
  }

  /// Whether there are no fields.
  public var isEmpty: Bool { text.isEmpty }

  /// The fields as `application/x-www-form-urlencoded` text: `name=value`, separated by `&`.
  ///
  /// Every byte but the unreserved characters of RFC 3986, section 2.3, is percent-encoded, a space as `%20`,
  /// which is valid in a query and a form alike.
  public var encoded: String { text }
}

/// Percent-encoding (RFC 3986, section 2.1).
package enum PercentEncoding {
  /// Encodes all but unreserved characters, for a path segment or for a name or value of a query.
  package static func component(_ text: String) -> String { encode(text) { isUnreserved($0) } }

  /// Encodes the characters not allowed in a path; slashes and percent-encoded triplets are kept.
  package static func path(_ text: String) -> String {
    var encoded = ""
    let bytes = Array(text.utf8)
    for (index, byte) in bytes.enumerated() {
      let isTriplet =
        byte == UInt8(ascii: "%") && index + 2 < bytes.count && isHexDigit(bytes[index + 1])
        && isHexDigit(bytes[index + 2])
      append(byte, to: &encoded, isKept: isTriplet || isUnreserved(byte) || pathMarks.contains(byte))
    }
    return encoded
  }

  private static let pathMarks = Set("/!$&'()*+,;=:@".utf8)
  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func encode(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
    var encoded = ""
    encoded.reserveCapacity(text.utf8.count)
    for byte in text.utf8 { append(byte, to: &encoded, isKept: isKept(byte)) }
    return encoded
  }

  private static func append(_ byte: UInt8, to text: inout String, isKept: Bool) {
    if isKept {
      text.unicodeScalars.append(Unicode.Scalar(byte))
    } else {
      text += "%"
      text.unicodeScalars.append(Unicode.Scalar(digits[Int(byte >> 4)]))
      text.unicodeScalars.append(Unicode.Scalar(digits[Int(byte & 15)]))
    }
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
