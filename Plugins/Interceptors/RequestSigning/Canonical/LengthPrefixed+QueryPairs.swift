import Cryptography
import Interception

extension LengthPrefixed {
  /// Appends a list of name and value pairs, preceded by their count.
  mutating func append(_ pairs: QueryPairs) {
    append(count: pairs.bounds.count)
    for bounds in pairs.bounds {
      append(pairs.bytes[bounds.start..<bounds.middle])
      append(pairs.bytes[bounds.middle..<bounds.end])
    }
  }
}
