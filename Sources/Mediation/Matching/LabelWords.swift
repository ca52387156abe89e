/// A label as words, for comparing it with literals without reading its bytes again.
struct LabelWords {
  /// The offset of its first byte.
  let start: Int
  /// The number of bytes, at least one.
  let length: Int
  /// The first eight bytes, the first in the lowest bits, zero-extended.
  let first: UInt64
  /// The last eight bytes, or zero if the label has at most eight.
  let last: UInt64

  /// Reads a label, converting ASCII letters to lower case if `isFolded` is true.
  @inline(__always)
  init(_ bytes: Span<UInt8>, at start: Int, length: Int, isFolded: Bool = false) {
    self.start = start
    self.length = length
    let words =
      length > 8
      ? (ByteWords.load(bytes, at: start), ByteWords.load(bytes, at: start &+ length &- 8))
      : (ByteWords.load(bytes, at: start, count: length), 0)
    first = isFolded ? ByteWords.lowercase(words.0) : words.0
    last = isFolded ? ByteWords.lowercase(words.1) : words.1
  }

  /// Returns the hash by which a literal is looked up; it covers all bytes.
  @inline(__always)
  func hash(_ bytes: Span<UInt8>, isFolded: Bool = false) -> UInt64 {
    var hash = ByteWords.mix(UInt64(truncatingIfNeeded: length), first)
    if length > 8 { hash = ByteWords.mix(hash, last) }
    var offset = 8
    while offset &+ 8 < length {
      hash = ByteWords.mix(hash, word(bytes, offset, isFolded))
      offset &+= 8
    }
    return hash
  }

  /// The half of a hash that is stored with a literal; the other half selects its slot in a table.
  @inline(__always)
  static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash &>> 32) }

  /// Returns the word at an offset from the label's start; it must end before the label does.
  @inline(__always)
  func word(_ bytes: Span<UInt8>, _ offset: Int, _ isFolded: Bool) -> UInt64 {
    let word = ByteWords.load(bytes, at: start &+ offset)
    return isFolded ? ByteWords.lowercase(word) : word
  }
}
