/// Writes length-prefixed fields, in the format of ``LengthPrefixed``, to memory of a size computed in
/// advance.
///
/// Use it for a format that is known in advance and written for every request: no buffer grows, and nothing
/// is checked twice. It traps if more bytes are written than were reserved, because that is a programming
/// error.
package struct FieldWriter {
  /// The size of the length that precedes each field, a big-endian 64-bit integer.
  package static let prefixSize = 8

  private let memory: UnsafeMutableRawBufferPointer
  /// The number of bytes written so far.
  package private(set) var count = 0

  /// Returns the bytes that `write` writes.
  ///
  /// - Parameter capacity: The maximum number of bytes written, including prefixes.
  package static func bytes(reserving capacity: Int, _ write: (inout FieldWriter) -> Void) -> [UInt8] {
    // Reserving and zeroing is cheaper than asking the runtime for uninitialized memory.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(capacity)
    bytes.append(contentsOf: repeatElement(0, count: capacity))
    let count = bytes.withUnsafeMutableBytes { memory in
      var writer = FieldWriter(memory)
      write(&writer)
      return writer.count
    }
    if count < capacity { bytes.removeLast(capacity - count) }
    return bytes
  }

  /// Calls `read` with the bytes that `write` writes, and returns its result; small buffers are on the stack.
  ///
  /// - Parameter capacity: The maximum number of bytes written, including prefixes.
  package static func withBytes(
    reserving capacity: Int, write: (inout FieldWriter) -> Void, read: (UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 1) { memory in
      var writer = FieldWriter(memory)
      write(&writer)
      return read(UnsafeRawBufferPointer(rebasing: memory[..<writer.count]))
    }
  }

  private init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

  /// Writes a field of text in UTF-8.
  package mutating func append(_ field: String) {
    let isDone: Void? = field.utf8.withContiguousStorageIfAvailable { append(UnsafeRawBufferPointer($0)) }
    if isDone == nil { append(Array(field.utf8)) }
  }

  /// Writes the first `count` UTF-8 bytes of a text as a field.
  package mutating func append(_ text: String, upTo count: Int) {
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable {
      append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer($0)[..<count]))
    }
    if isDone == nil { append(Array(text.utf8.prefix(count))) }
  }

  /// Writes a field of bytes.
  package mutating func append(_ field: [UInt8]) { field.withUnsafeBytes { append($0) } }

  /// Writes a field of bytes from a buffer.
  @inline(__always)
  package mutating func append(_ field: UnsafeRawBufferPointer) {
    let place = take(Self.prefixSize + field.count)
    place.storeBytes(of: UInt64(field.count).bigEndian, as: UInt64.self)
    if let start = field.baseAddress {
      (place + Self.prefixSize).copyMemory(from: start, byteCount: field.count)
    }
  }

  /// Writes a field of one byte.
  package mutating func append(byte: UInt8) {
    append(count: 1)
    take(1).storeBytes(of: byte, as: UInt8.self)
  }

  /// Writes a field of two big-endian integers.
  package mutating func append(_ high: UInt64, _ low: UInt64) {
    append(count: 16)
    append(word: high)
    append(word: low)
  }

  /// Writes the number of the following fields.
  package mutating func append(count: Int) { append(word: UInt64(count)) }

  /// Writes bytes that are already length-prefixed fields.
  package mutating func append(written fields: [UInt8]) {
    fields.withUnsafeBytes { fields in
      guard let start = fields.baseAddress else { return }
      take(fields.count).copyMemory(from: start, byteCount: fields.count)
    }
  }

  /// Writes a field that consists of the fields written by `write`, and returns the range of its bytes.
  package mutating func appendNested(_ write: (inout FieldWriter) -> Void) -> Range<Int> {
    let prefix = take(Self.prefixSize)
    let start = count
    write(&self)
    prefix.storeBytes(of: UInt64(count - start).bigEndian, as: UInt64.self)
    return start..<count
  }

  /// Discards the bytes after the first `count`.
  package mutating func truncate(to count: Int) { self.count = min(count, self.count) }

  @inline(__always)
  private mutating func append(word: UInt64) {
    take(8).storeBytes(of: word.bigEndian, as: UInt64.self)
  }

  /// Reserves the next `size` bytes and returns a pointer to them.
  @inline(__always)
  private mutating func take(_ size: Int) -> UnsafeMutableRawPointer {
    guard let start = memory.baseAddress, size >= 0, size <= memory.count - count else {
      preconditionFailure("More bytes are written than were reserved; reserve a larger capacity.")
    }
    defer { count += size }
    return start + count
  }
}
