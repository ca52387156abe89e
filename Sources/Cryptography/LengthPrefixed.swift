/// A list of fields as bytes, unique for each list because every field is preceded by its length.
///
/// Signatures and cache keys use it. The single field `name=1&b=2` differs from the two fields `name=1` and
/// `b=2`.
@usableFromInline
package struct LengthPrefixed: Sendable {
  @usableFromInline var storage: [UInt8] = []

  /// The bytes appended so far.
  @inlinable package var bytes: [UInt8] { storage }

  /// Creates an empty list of fields with capacity for `capacity` bytes.
  package init(reserving capacity: Int = 0) { storage.reserveCapacity(capacity) }

  /// Appends a field of bytes.
  @inlinable
  package mutating func append(_ field: some Collection<UInt8>) {
    append(count: field.count)
    storage.append(contentsOf: field)
  }

  /// Appends a field of bytes.
  package mutating func append(_ field: [UInt8]) {
    append(count: field.count)
    storage.append(contentsOf: field)
  }

  /// Appends a field of bytes from a buffer.
  package mutating func append(_ field: UnsafeRawBufferPointer) {
    append(count: field.count)
    // The array copies typed bytes in bulk, but raw ones one by one.
    field.withMemoryRebound(to: UInt8.self) { storage.append(contentsOf: $0) }
  }

  /// Appends a field of text in UTF-8.
  package mutating func append(_ field: String) {
    append(count: field.utf8.count)
    let isDone: Void? = field.utf8.withContiguousStorageIfAvailable { storage.append(contentsOf: $0) }
    if isDone == nil { storage.append(contentsOf: field.utf8) }
  }

  /// Appends the first `count` UTF-8 bytes of a text as a field.
  package mutating func append(_ text: String, upTo count: Int) {
    guard count < text.utf8.count else { return append(text) }
    append(text.utf8.prefix(count))
  }

  /// Appends a field of one byte.
  package mutating func append(byte: UInt8) {
    append(count: 1)
    storage.append(byte)
  }

  /// Appends a field of two big-endian integers.
  package mutating func append(_ high: UInt64, _ low: UInt64) {
    append(count: 16)
    append(word: high)
    append(word: low)
  }

  /// Appends the number of the following fields.
  @inlinable
  package mutating func append(count: Int) { append(word: UInt64(count)) }

  /// Appends a big-endian integer without a length.
  @usableFromInline
  package mutating func append(word: UInt64) {
    withUnsafeBytes(of: word.bigEndian) { word in
      word.withMemoryRebound(to: UInt8.self) { storage.append(contentsOf: $0) }
    }
  }
}

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

extension HashValue {
  /// Computes the SHA-256 of a list of fields, which differs from that of any other list.
  package init(ofFields fields: [String]) throws(CryptographyError) {
    var list = LengthPrefixed()
    for field in fields { list.append(field) }
    try self.init(sha256: list.bytes)
  }
}
