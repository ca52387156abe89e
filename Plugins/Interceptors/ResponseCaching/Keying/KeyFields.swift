/// The bytes of a cache key while they are written: fields, each preceded by its length in eight bytes.
///
/// The form is that of `LengthPrefixed`; a field may hold further ones here, so that a key is one buffer.
struct KeyFields {
  /// What was appended so far.
  private(set) var bytes: [UInt8] = []

  /// Makes an empty list of fields, with room for as many bytes as will be appended.
  init(reserving capacity: Int) { bytes.reserveCapacity(capacity) }

  /// Appends a field of text, as UTF-8.
  mutating func append(_ field: String) {
    let isDone: Void? = field.utf8.withContiguousStorageIfAvailable { append($0) }
    if isDone == nil { Array(field.utf8).withUnsafeBufferPointer { append($0) } }
  }

  /// Appends a field of bytes that lie somewhere else.
  mutating func append(_ field: UnsafeBufferPointer<UInt8>) {
    append(count: field.count)
    bytes.append(contentsOf: field)
  }

  /// Appends a field of one byte.
  mutating func append(byte: UInt8) {
    append(count: 1)
    bytes.append(byte)
  }

  /// Appends a field of the bytes of a hash.
  mutating func append(_ digest: SHA256Digest) {
    digest.withBytes { append($0) }
  }

  /// Appends one field that consists of those that `write` appends, and returns where its bytes lie.
  mutating func appendNested(_ write: (inout KeyFields) -> Void) -> Range<Int> {
    append(count: 0)
    let start = bytes.count
    write(&self)
    var count = bytes.count - start
    // The length is known only now; its eight bytes stand right before the field.
    for index in 1...8 {
      bytes[start - index] = UInt8(truncatingIfNeeded: count)
      count >>= 8
    }
    return start..<bytes.count
  }

  /// Takes back what was appended after the first bytes.
  mutating func truncate(to count: Int) { bytes.removeSubrange(count...) }

  private mutating func append(count: Int) {
    withUnsafeBytes(of: UInt64(count).bigEndian) { word in
      word.withMemoryRebound(to: UInt8.self) { bytes.append(contentsOf: $0) }
    }
  }
}
