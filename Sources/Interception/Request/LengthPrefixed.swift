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

  /// Appends a field of bytes that lie somewhere else; as fast from another module, too.
  package mutating func append(_ field: UnsafeRawBufferPointer) {
    appendCount(field.count)
    // Of typed bytes the array takes a copy at once, of raw ones one after the other.
    field.withMemoryRebound(to: UInt8.self) { bytes.append(contentsOf: $0) }
  }

  /// Appends a field of text, as UTF-8.
  package mutating func append(_ field: String) {
    appendCount(field.utf8.count)
    let isDone: Void? = field.utf8.withContiguousStorageIfAvailable { bytes.append(contentsOf: $0) }
    if isDone == nil { bytes.append(contentsOf: field.utf8) }
  }

  /// Appends the first bytes of a text as a field.
  package mutating func append(_ text: String, upTo count: Int) {
    guard count < text.utf8.count else { return append(text) }
    append(text.utf8.prefix(count))
  }

  /// Appends a field of one byte.
  package mutating func append(byte: UInt8) {
    appendCount(1)
    bytes.append(byte)
  }

  /// Appends a field of two numbers, the most significant bytes first.
  package mutating func append(_ high: UInt64, _ low: UInt64) {
    appendCount(16)
    append(word: high)
    append(word: low)
  }

  /// Appends a list of pairs, preceded by their number.
  package mutating func append(_ items: [QueryItems.Item]) {
    appendCount(items.count)
    for item in items {
      append(item.name)
      append(item.value)
    }
  }

  /// Appends a list of pairs, preceded by their number.
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
