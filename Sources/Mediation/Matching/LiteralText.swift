/// A literal of a pattern as a dictionary key, compared by bytes.
///
/// `String` compares by canonical equivalence, URLs do not.
struct LiteralText: Hashable {
  let text: String

  static func == (left: LiteralText, right: LiteralText) -> Bool {
    let (one, other) = (left.text.utf8.span, right.text.utf8.span)
    if one.count != other.count { return false }
    var offset = 0
    while offset < one.count {
      let count = one.count - offset
      if ByteWords.load(one, at: offset, count: count) != ByteWords.load(other, at: offset, count: count) {
        return false
      }
      offset += 8
    }
    return true
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(ByteWords.hash(text.utf8.span))
  }
}
