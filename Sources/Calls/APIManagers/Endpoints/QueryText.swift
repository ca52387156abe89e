import Interception

/// The fields of a query or form, percent-encoded as they are appended: `name=value`, separated by `&`.
///
/// It has the text of `FormFields`, in one buffer.
struct QueryText: Sendable {
  /// The text in UTF-8, which is ASCII.
  private(set) var bytes: [UInt8] = []

  /// Creates a text without fields.
  init() {}

  /// Creates the text of fields.
  init(_ fields: [QueryField]) {
    for field in fields { append(field.name, field.value) }
  }

  /// Whether there are no fields.
  var isEmpty: Bool { bytes.isEmpty }

  /// The text.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Returns a path with this query.
  func appended(to path: String) -> String {
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

  /// Appends a field.
  mutating func append(_ name: String, _ value: String) {
    begin(name)
    Self.encode(value, to: &bytes)
  }

  /// Appends a field with a number in decimal digits.
  mutating func append(_ name: String, _ number: some FixedWidthInteger) {
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

  /// Appends common fields, except those whose names are in use.
  mutating func append(common fields: [QueryField]) {
    guard !fields.isEmpty else { return }
    let own = bytes.count
    for field in fields where !contains(field.name, before: own) { append(field.name, field.value) }
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

  /// Whether a field has a name; each name has one encoding, so that their bytes can be compared.
  private func contains(_ name: String, before end: Int) -> Bool {
    var encoded: [UInt8] = []
    Self.encode(name, to: &encoded)
    encoded.append(UInt8(ascii: "="))
    return bytes[..<end].split(separator: UInt8(ascii: "&")).contains { $0.starts(with: encoded) }
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
