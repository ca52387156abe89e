import Interception

/// The names and values of a query or form, in order; a name may occur more than once.
///
/// ```swift
/// var fields: FormFields = ["city": "Lisbon", "page": "2", "sort": nil]
/// fields.append("amenity", "garden")
/// ```
///
/// A nil value is omitted. Names and values are percent-encoded as they are appended, in one buffer.
public struct FormFields: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  /// The encoded text in UTF-8, which is ASCII.
  package private(set) var bytes: [UInt8] = []

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
    begin(name)
    Self.encode(value, to: &bytes)
  }

  /// Whether there are no fields.
  package var isEmpty: Bool { bytes.isEmpty }

  /// The fields as `application/x-www-form-urlencoded` text: `name=value`, separated by `&`.
  ///
  /// Every byte but the unreserved characters of RFC 3986, section 2.3, is percent-encoded, a space as `%20`,
  /// which is valid in a query and a form alike.
  package var encoded: String { String(decoding: bytes, as: UTF8.self) }
}

extension FormFields {
  /// Returns a path with this query.
  package func appended(to path: String) -> String {
    guard !isEmpty else { return path }
    var path = path
    return path.withUTF8 { path in
      String(unsafeUninitializedCapacity: path.count + 1 + bytes.count) { buffer in
        var end = buffer.initialize(fromContentsOf: path)
        buffer[end] = UInt8(ascii: "?")
        end = buffer[(end + 1)...].initialize(fromContentsOf: bytes)
        return end
      }
    }
  }

  /// Appends a field with a number in decimal digits.
  package mutating func append(_ name: String, _ number: some FixedWidthInteger) {
    guard let number = Int64(exactly: number) else { return append(name, "\(number)") }
    begin(name)
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    let start = bytes.count
    var rest = number.magnitude
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  /// Appends other fields, except those whose names are in use.
  package mutating func append(common fields: FormFields) {
    let own = bytes.count
    for field in fields.bytes.split(separator: UInt8(ascii: "&"))
    where !contains(field.prefix { $0 != UInt8(ascii: "=") }, before: own) {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
      bytes += field
    }
  }

  /// Sorts the fields after an offset by name.
  ///
  /// - Parameters:
  ///   - start: The offset after a field, or 0.
  ///   - byValue: Whether fields of one name are sorted by value; if not, they keep their order.
  mutating func sort(from start: Int, byValue: Bool) {
    guard start < bytes.count else { return }
    // The first field has a separator before it if it is not the first of all.
    let start = start == 0 ? 0 : start + 1
    let equals = UInt8(ascii: "=")
    let fields = bytes[start...].split(separator: UInt8(ascii: "&")).sorted { left, right in
      if byValue { return left.lexicographicallyPrecedes(right) }
      return left.prefix { $0 != equals }.lexicographicallyPrecedes(right.prefix { $0 != equals })
    }
    bytes.replaceSubrange(start..., with: Array(fields.joined(separator: [UInt8(ascii: "&")])))
  }

  private mutating func begin(_ name: String) {
    if bytes.isEmpty { bytes.reserveCapacity(128) } else { bytes.append(UInt8(ascii: "&")) }
    Self.encode(name, to: &bytes)
    bytes.append(UInt8(ascii: "="))
  }

  /// Whether a field has an encoded name; each name has one encoding.
  private func contains(_ name: ArraySlice<UInt8>, before end: Int) -> Bool {
    bytes[..<end].split(separator: UInt8(ascii: "&")).contains {
      $0.starts(with: name) && $0.dropFirst(name.count).first == UInt8(ascii: "=")
    }
  }

  private static func encode(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { text in
      // Most names and values need no encoding, and are copied at once.
      guard text.allSatisfy(PercentEncoding.isUnreserved) else {
        for byte in text {
          if PercentEncoding.isUnreserved(byte) {
            bytes.append(byte)
          } else {
            PercentEncoding.append(byte, to: &bytes)
          }
        }
        return
      }
      bytes.append(contentsOf: text)
    }
  }
}
