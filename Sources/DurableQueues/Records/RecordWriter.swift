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
