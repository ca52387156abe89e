/// A literal of a pattern as a key, equal if the bytes are.
///
/// Strings are equal if they look alike, whatever their bytes; URLs are not.
struct LiteralText: Hashable {
  let text: String

  static func == (left: LiteralText, right: LiteralText) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    let bytes = text.utf8.span
    hasher.combine(ByteWords.hash(bytes, bytes.indices))
  }
}
