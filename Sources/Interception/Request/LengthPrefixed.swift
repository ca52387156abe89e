/// A list of fields as bytes, unique for each list because every field is preceded by its length.
///
/// Signatures and cache keys use it. The single field `name=1&b=2` differs from the two fields `name=1` and
/// `b=2`.
package struct LengthPrefixed: Sendable {
  /// The bytes appended so far.
  package private(set) var bytes: [UInt8] = []

  /// Creates an empty list of fields with capacity for `capacity` bytes.
  package init(reserving capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  /// Appends a field of bytes.
  package mutating func append(_ field: some Collection<UInt8>) {
    appendCount(field.count)
    bytes.append(contentsOf: field)
  }

  /// Appends a field of bytes; unlike the generic method, it is fast without cross-module specialization.
  package mutating func append(_ field: [UInt8]) {
    appendCount(field.count)
    bytes.append(contentsOf: field)
  }

  /// Appends a field of bytes from a buffer; fast without cross-module specialization, too.
  package mutating func append(_ field: UnsafeRawBufferPointer) {
    appendCount(field.count)
    // The array copies typed bytes in bulk, but raw ones one by one.
    field.withMemoryRebound(to: UInt8.self) { bytes.append(contentsOf: $0) }
  }

  /// Appends a field of text in UTF-8.
  package mutating func append(_ field: String) {
    appendCount(field.utf8.count)
    let isDone: Void? = field.utf8.withContiguousStorageIfAvailable { bytes.append(contentsOf: $0) }
    if isDone == nil { bytes.append(contentsOf: field.utf8) }
  }

  /// Appends the first `count` UTF-8 bytes of a text as a field.
  package mutating func append(_ text: String, upTo count: Int) {
    guard count < text.utf8.count else { return append(text) }
    append(text.utf8.prefix(count))
  }

  /// Appends a field of one byte.
  package mutating func append(byte: UInt8) {
    appendCount(1)
    bytes.append(byte)
  }

  /// Appends a field of two big-endian integers.
  package mutating func append(_ high: UInt64, _ low: UInt64) {
    appendCount(16)
    append(word: high)
    append(word: low)
  }

  /// Appends a list of name and value pairs, preceded by their count.
  package mutating func append(_ items: [QueryItems.Item]) {
    appendCount(items.count)
    for item in items {
      append(item.name)
      append(item.value)
    }
  }

  /// Appends a list of name and value pairs, preceded by their count.
  package mutating func append(_ pairs: QueryPairs) {
    appendCount(pairs.bounds.count)
    for bounds in pairs.bounds {
      append(pairs.bytes[bounds.start..<bounds.middle])
      append(pairs.bytes[bounds.middle..<bounds.end])
    }
  }

  private mutating func appendCount(_ count: Int) { append(word: UInt64(count)) }

  private mutating func append(word: UInt64) {
    withUnsafeBytes(of: word.bigEndian) { word in
      word.withMemoryRebound(to: UInt8.self) { bytes.append(contentsOf: $0) }
    }
  }
}
