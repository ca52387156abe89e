/// A label as words, so that literals are compared to it without reading its bytes again.
struct LabelWords {
  /// The offset of its first byte.
  let start: Int
  /// So many bytes, at least one.
  let length: Int
  /// The first eight bytes, the first in the lowest bits; zero above the label's end.
  let first: UInt64
  /// The last eight bytes; zero if there are no more than eight.
  let last: UInt64

  /// Reads a label; folded to lower case or not.
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

  /// The hash by which a table of literals is searched; of a label longer than sixteen bytes those between
  /// count too.
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

  /// The part of a hash that tells literals apart; the other part is their place in a table.
  @inline(__always)
  static func tag(_ hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash &>> 32) }

  /// The word at an offset from the label's start, which must end before the label does.
  @inline(__always)
  func word(_ bytes: Span<UInt8>, _ offset: Int, _ isFolded: Bool) -> UInt64 {
    let word = ByteWords.load(bytes, at: start &+ offset)
    return isFolded ? ByteWords.lowercase(word) : word
  }
}
