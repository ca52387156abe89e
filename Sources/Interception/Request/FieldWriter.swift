/// Writes length-prefixed fields, as ``LengthPrefixed`` holds them, into memory of a size that was worked out
/// before.
///
/// Take it where the whole form is known beforehand and is written at every request: nothing grows, nothing
/// is checked twice. A form that is larger than announced is a mistake of whoever announced it, and traps.
package struct FieldWriter {
  /// What precedes each field: its length in eight bytes, the most significant first.
  package static let prefixSize = 8

  private let memory: UnsafeMutableRawBufferPointer
  /// The number of bytes written so far.
  package private(set) var count = 0

  /// Returns what `write` has written.
  ///
  /// - Parameter capacity: The most bytes that it writes, prefixes included.
  package static func bytes(reserving capacity: Int, _ write: (inout FieldWriter) -> Void) -> [UInt8] {
    // To reserve and to clear costs less than to ask the runtime for memory that is neither.
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

  /// Hands what `write` has written to `read`, and returns what that returns; a short form lies on the stack.
  ///
  /// - Parameter capacity: The most bytes that are written, prefixes included.
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

  /// Writes a field of text, as UTF-8.
  package mutating func append(_ field: String) {
    let isDone: Void? = field.utf8.withContiguousStorageIfAvailable { append(UnsafeRawBufferPointer($0)) }
    if isDone == nil { append(Array(field.utf8)) }
  }

  /// Writes the first bytes of a text as a field.
  package mutating func append(_ text: String, upTo count: Int) {
    let isDone: Void? = text.utf8.withContiguousStorageIfAvailable {
      append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer($0)[..<count]))
    }
    if isDone == nil { append(Array(text.utf8.prefix(count))) }
  }

  /// Writes a field of bytes.
  package mutating func append(_ field: [UInt8]) { field.withUnsafeBytes { append($0) } }

  /// Writes a field of bytes that lie somewhere else.
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

  /// Writes a field of two numbers, the most significant bytes first.
  package mutating func append(_ high: UInt64, _ low: UInt64) {
    append(count: 16)
    append(word: high)
    append(word: low)
  }

  /// Writes the number of the fields that follow.
  package mutating func append(count: Int) { append(word: UInt64(count)) }

  /// Writes bytes that are length-prefixed fields already.
  package mutating func append(written fields: [UInt8]) {
    fields.withUnsafeBytes { fields in
      guard let start = fields.baseAddress else { return }
      take(fields.count).copyMemory(from: start, byteCount: fields.count)
    }
  }

  /// Writes one field that consists of those that `write` appends, and returns where its bytes lie.
  package mutating func appendNested(_ write: (inout FieldWriter) -> Void) -> Range<Int> {
    let prefix = take(Self.prefixSize)
    let start = count
    write(&self)
    prefix.storeBytes(of: UInt64(count - start).bigEndian, as: UInt64.self)
    return start..<count
  }

  /// Takes back what was written after the first bytes.
  package mutating func truncate(to count: Int) { self.count = min(count, self.count) }

  @inline(__always)
  private mutating func append(word: UInt64) {
    take(8).storeBytes(of: word.bigEndian, as: UInt64.self)
  }

  /// Returns where the next bytes are to be written.
  @inline(__always)
  private mutating func take(_ size: Int) -> UnsafeMutableRawPointer {
    guard let start = memory.baseAddress, size >= 0, size <= memory.count - count else {
      preconditionFailure("The form is larger than it was announced to be.")
    }
    defer { count += size }
    return start + count
  }
}
