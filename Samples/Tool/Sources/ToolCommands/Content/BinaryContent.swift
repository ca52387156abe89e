/// Decides whether content is text that a terminal can show.
public enum BinaryContent {
  private static let sampleLength = 4_096

  /// Whether the first bytes of a content are binary: one of them is zero, or more than a tenth of them
  /// belong to no character in UTF-8.
  ///
  /// Text in another encoding, such as ISO 8859-1, usually has fewer of these.
  public static func isLikely(_ bytes: some Collection<UInt8>) -> Bool {
    let sample = Array(bytes.prefix(sampleLength))
    if sample.contains(0) { return true }
    var invalid = 0
    var rest = sample[...]
    // The sample may end within a character.
    while rest.count > (bytes.count > sampleLength ? 3 : 0) {
      var decoder = UTF8()
      var iterator = rest.makeIterator()
      if case .scalarValue(let scalar) = decoder.decode(&iterator) {
        rest = rest.dropFirst(UTF8.width(scalar))
      } else {
        invalid += 1
        rest = rest.dropFirst()
      }
    }
    return invalid * 10 > sample.count
  }
}
