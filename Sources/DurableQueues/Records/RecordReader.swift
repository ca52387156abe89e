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
