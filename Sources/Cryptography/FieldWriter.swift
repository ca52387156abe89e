/// Writes length-prefixed fields, in the format of ``LengthPrefixed``, to memory of a size computed in
/// advance.
///
/// Use it for a format that is known in advance and written for every request: no buffer grows, and nothing
/// is checked twice. It traps if more bytes are written than were reserved, because that is a programming
/// error.
// Without `@usableFromInline` at a package type, `@inlinable` at its members has no effect in other modules.
@usableFromInline
package struct FieldWriter {
  /// The size of the length that precedes each field, a big-endian 64-bit integer.
  @inlinable package static var prefixSize: Int { 8 }

  @usableFromInline let memory: UnsafeMutableRawBufferPointer
  @usableFromInline var end: Int

  /// The number of bytes written so far.
  @inlinable package var count: Int { end }

  /// Returns the bytes that `write` writes.
  ///
  /// - Parameter capacity: The maximum number of bytes written, including prefixes.
  @inlinable
  package static func bytes(reserving capacity: Int, _ write: (inout FieldWriter) -> Void) -> [UInt8] {
    // Zeroing is cheaper than asking the runtime for uninitialized memory.
    var bytes = [UInt8](repeating: 0, count: capacity)
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
  @inlinable
  package static func withBytes(
    reserving capacity: Int, write: (inout FieldWriter) -> Void, read: (UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 1) { memory in
      var writer = FieldWriter(memory)
      write(&writer)
      return read(UnsafeRawBufferPointer(rebasing: memory[..<writer.count]))
    }
  }

  @inlinable
  init(_ memory: UnsafeMutableRawBufferPointer) {
    self.memory = memory
    end = 0
  }

  /// Writes a field of text in UTF-8.
  @inlinable
  package mutating func append(_ field: String) {
    let isDone: Void? = field.utf8.withContiguousStorageIfAvailable { append(UnsafeRawBufferPointer($0)) }
    if isDone == nil { append(Array(field.utf8)) }
  }

  /// Writes the first `count` UTF-8 bytes of a text as a field.
  @inlinable
  package mutating func append(_ text: String, upTo count: Int) {
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable {
      append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer($0)[..<count]))
    }
    if isDone == nil { append(Array(text.utf8.prefix(count))) }
  }

  /// Writes a field of bytes.
  @inlinable
  package mutating func append(_ field: [UInt8]) { field.withUnsafeBytes { append($0) } }

  /// Writes a field of bytes from a buffer.
  @inlinable @inline(__always)
  package mutating func append(_ field: UnsafeRawBufferPointer) {
    let place = take(Self.prefixSize + field.count)
    place.storeBytes(of: UInt64(field.count).bigEndian, as: UInt64.self)
    if let start = field.baseAddress {
      (place + Self.prefixSize).copyMemory(from: start, byteCount: field.count)
    }
  }

  /// Writes a field of one byte.
  @inlinable
  package mutating func append(byte: UInt8) {
    append(count: 1)
    take(1).storeBytes(of: byte, as: UInt8.self)
  }

  /// Writes a field of two big-endian integers.
  @inlinable
  package mutating func append(_ high: UInt64, _ low: UInt64) {
    append(count: 16)
    append(word: high)
    append(word: low)
  }

  /// Writes the number of the following fields.
  @inlinable
  package mutating func append(count: Int) { append(word: UInt64(count)) }

  /// Writes bytes that are already length-prefixed fields.
  @inlinable
  package mutating func append(written fields: [UInt8]) {
    fields.withUnsafeBytes { fields in
      guard let start = fields.baseAddress else { return }
      take(fields.count).copyMemory(from: start, byteCount: fields.count)
    }
  }

  /// Writes a field that consists of the fields written by `write`, and returns the range of its bytes.
  @inlinable
  package mutating func appendNested(_ write: (inout FieldWriter) -> Void) -> Range<Int> {
    let prefix = take(Self.prefixSize)
    let start = count
    write(&self)
    prefix.storeBytes(of: UInt64(count - start).bigEndian, as: UInt64.self)
    return start..<count
  }

  /// Discards the bytes after the first `count`.
  @inlinable
  package mutating func truncate(to count: Int) { end = min(count, end) }

  @inlinable @inline(__always)
  mutating func append(word: UInt64) {
    take(8).storeBytes(of: word.bigEndian, as: UInt64.self)
  }

  /// Reserves the next `size` bytes and returns a pointer to them.
  @inlinable @inline(__always)
  mutating func take(_ size: Int) -> UnsafeMutableRawPointer {
    guard let start = memory.baseAddress, size >= 0, size <= memory.count - end else {
      preconditionFailure("More bytes are written than were reserved; reserve a larger capacity.")
    }
    defer { end += size }
    return start + end
  }
}
