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
