/// Bytes that different lists of fields never share: each field is preceded by its length.
///
/// Signatures and cache keys are made of it. `name=1&b=2` in one field is not `name=1` and `b=2` in two.
package struct LengthPrefixed: Sendable {
  /// What was appended so far.
  package private(set) var bytes: [UInt8] = []

  /// Makes an empty list of fields, with room for as many bytes as will be appended.
  package init(reserving capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  /// Appends a field of bytes.
  package mutating func append(_ field: some Collection<UInt8>) {
    appendCount(field.count)
    bytes.append(contentsOf: field)
  }

  /// Appends a field of bytes; unlike the generic one it is as fast from another module.
  package mutating func append(_ field: [UInt8]) {
    appendCount(field.count)
    bytes.append(contentsOf: field)
  }

  /// Appends a field of text, as UTF-8.
  package mutating func append(_ field: String) { append(field.utf8) }

  /// Appends a list of pairs, preceded by their number.
  package mutating func append(_ items: [QueryItems.Item]) {
    appendCount(items.count)
    for item in items {
      append(item.name)
      append(item.value)
    }
  }

  private mutating func appendCount(_ count: Int) {
    withUnsafeBytes(of: Int64(count).bigEndian) { bytes.append(contentsOf: $0) }
  }
}
