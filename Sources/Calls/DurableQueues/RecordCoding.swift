/// Encodes values as bytes with a checksum.
///
/// Numbers take eight bytes, texts and byte arrays are preceded by their length. SQLite has no checksums, so
/// that a changed byte of a record would otherwise be taken for what was written.
package struct RecordWriter {
  private var bytes: [UInt8] = []

  /// Creates a writer.
  package init() {}

  /// Appends a number.
  package mutating func append(_ number: Int64) {
    let bits = UInt64(bitPattern: number)
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
  }

  /// Appends a number.
  package mutating func append(_ number: Int) { append(Int64(number)) }

  /// Appends bytes, preceded by their number.
  package mutating func append(_ content: [UInt8]) {
    append(content.count)
    bytes += content
  }

  /// Appends a text, preceded by the number of its bytes.
  package mutating func append(_ text: String) {
    append(text.utf8.count)
    bytes += text.utf8
  }

  /// Returns the bytes, followed by their checksum.
  package consuming func finish() -> [UInt8] {
    let sum = RecordChecksum.of(bytes[...])
    append(Int64(bitPattern: sum))
    return bytes
  }
}

/// Decodes what a `RecordWriter` has encoded.
package struct RecordReader {
  private static let checksumSize = 8
  private var rest: ArraySlice<UInt8>

  /// Creates a reader of bytes with a checksum.
  package init(_ bytes: [UInt8]) throws(RecordDamage) {
    guard bytes.count >= Self.checksumSize else { throw RecordDamage() }
    let content = bytes.dropLast(Self.checksumSize)
    rest = bytes.suffix(Self.checksumSize)
    let sum = try UInt64(bitPattern: number())
    guard RecordChecksum.of(content) == sum else { throw RecordDamage() }
    rest = content
  }

  /// Whether everything was read.
  package var isAtEnd: Bool { rest.isEmpty }

  /// Reads a number.
  package mutating func number() throws(RecordDamage) -> Int64 {
    guard rest.count >= 8 else { throw RecordDamage() }
    var bits: UInt64 = 0
    for byte in rest.prefix(8).reversed() { bits = bits << 8 | UInt64(byte) }
    rest.removeFirst(8)
    return Int64(bitPattern: bits)
  }

  /// Reads a number that is not negative.
  package mutating func count() throws(RecordDamage) -> Int {
    let number = try number()
    guard number >= 0, let count = Int(exactly: number) else { throw RecordDamage() }
    return count
  }

  /// Reads bytes.
  package mutating func bytes() throws(RecordDamage) -> [UInt8] {
    let count = try count()
    guard count <= rest.count else { throw RecordDamage() }
    defer { rest.removeFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Reads a text.
  package mutating func text() throws(RecordDamage) -> String {
    guard let text = try String(validating: bytes(), as: UTF8.self) else { throw RecordDamage() }
    return text
  }
}

/// The error of a record whose bytes are not those that were written.
package struct RecordDamage: Error, Hashable, Sendable {
  /// Creates the error.
  package init() {}
}

/// The 64-bit FNV-1a hash, which recognizes accidental changes of a record.
package struct RecordChecksum {
  /// The hash of the bytes that were added.
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Creates the hash of no bytes.
  package init() {}

  /// Adds bytes.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }

  /// Returns the hash of bytes.
  package static func of(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var sum = RecordChecksum()
    bytes.withUnsafeBytes { sum.add($0) }
    return sum.value
  }
}
