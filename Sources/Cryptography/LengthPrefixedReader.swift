/// Reads the fields that a `LengthPrefixed` or a `FieldWriter` has written; nil at the first malformed one.
///
/// The bytes may come from anywhere: reading allocates at most what a field has left, and never traps.
package struct LengthPrefixedReader {
  private var rest: ArraySlice<UInt8>

  /// Creates a reader.
  package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// Whether everything was read.
  package var isAtEnd: Bool { rest.isEmpty }

  /// Reads a big-endian integer without a length.
  package mutating func word() -> UInt64? {
    guard rest.count >= 8 else { return nil }
    let word = rest.withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) }
    rest.removeFirst(8)
    return word
  }

  /// Reads a number of fields or bytes, at most `limit`.
  package mutating func count(upTo limit: Int = .max) -> Int? {
    guard let word = word(), let count = Int(exactly: word), count <= limit else { return nil }
    return count
  }

  /// Reads a field.
  package mutating func field() -> ArraySlice<UInt8>? {
    guard let count = count(upTo: max(0, rest.count - 8)) else { return nil }
    defer { rest.removeFirst(count) }
    return rest.prefix(count)
  }

  /// Reads a field of text; nil also if it isn't UTF-8.
  package mutating func text() -> String? {
    field().flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// Reads a field of one byte that is 0 or 1.
  package mutating func flag() -> Bool? {
    guard let field = field(), field.count == 1, let byte = field.first, byte <= 1 else { return nil }
    return byte == 1
  }
}
