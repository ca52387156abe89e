import Interception

/// The name and value pairs of queries and forms in their canonical form: percent-encoded in one way, and
/// sorted by name, then by value, as bytes.
///
/// Both are encoded before they are sorted: sorted first, `a[10]` and `a[9]` would change places.
struct CanonicalPairs {
  private struct Bounds {
    let start: Int
    let middle: Int
    let end: Int
  }

  private var text = CanonicalText(reserving: 0)
  private var bounds: [Bounds] = []

  var isEmpty: Bool { bounds.isEmpty }
  /// The number of bytes of the form, without separators.
  var count: Int { text.bytes.count }

  /// Creates an empty list.
  init() {}

  /// Creates the pairs of a query, in which a plus sign is not a space; none without a query.
  init(query: Substring.UTF8View?) {
    if let query { append(parsing: query, plusIsSpace: false) }
  }

  /// Adds the pairs of a query or a form, after decoding it.
  ///
  /// - Parameter plusIsSpace: Whether a plus sign stands for a space, as in forms; otherwise it stands for
  ///   itself, as in RFC 3986.
  mutating func append(parsing query: some Collection<UInt8>, plusIsSpace: Bool) {
    var index = query.startIndex
    while index < query.endIndex {
      let start = text.bytes.count
      var middle: Int?
      let first = index
      while index < query.endIndex, query[index] != UInt8(ascii: "&") {
        let byte = query[index]
        if byte == UInt8(ascii: "="), middle == nil {
          middle = text.bytes.count
        } else if byte == UInt8(ascii: "%"), let octet = Self.octet(of: query, at: index) {
          text.append(encoding: octet)
          query.formIndex(&index, offsetBy: 2)
        } else {
          text.append(encoding: byte == UInt8(ascii: "+") && plusIsSpace ? 0x20 : byte)
        }
        query.formIndex(after: &index)
      }
      if index > first {
        bounds.append(Bounds(start: start, middle: middle ?? text.bytes.count, end: text.bytes.count))
      }
      if index < query.endIndex { query.formIndex(after: &index) }
    }
  }

  /// Adds a pair that isn't encoded.
  mutating func append(name: String, value: String) {
    let start = text.bytes.count
    text.append(encoding: name.utf8)
    let middle = text.bytes.count
    text.append(encoding: value.utf8)
    bounds.append(Bounds(start: start, middle: middle, end: text.bytes.count))
  }

  /// Sorts the pairs.
  mutating func sort() {
    guard bounds.count > 1 else { return }
    let bytes = text.bytes
    bounds.sort { left, right in
      let (name, other) = (bytes[left.start..<left.middle], bytes[right.start..<right.middle])
      if name.elementsEqual(other) {
        return bytes[left.middle..<left.end].lexicographicallyPrecedes(bytes[right.middle..<right.end])
      }
      return name.lexicographicallyPrecedes(other)
    }
  }

  /// Writes the pairs as `name=value`, joined by ampersands.
  func write(to canonical: inout CanonicalText) {
    for (index, pair) in bounds.enumerated() {
      if index > 0 { canonical.append(byte: UInt8(ascii: "&")) }
      canonical.append(text.bytes[pair.start..<pair.middle])
      canonical.append(byte: UInt8(ascii: "="))
      canonical.append(text.bytes[pair.middle..<pair.end])
    }
  }

  /// Whether a pair has a name, given in its encoded form.
  func contains(name: String) -> Bool {
    bounds.contains { text.bytes[$0.start..<$0.middle].elementsEqual(name.utf8) }
  }

  private static func octet<Query: Collection<UInt8>>(of query: Query, at percent: Query.Index) -> UInt8? {
    guard let first = query.index(percent, offsetBy: 1, limitedBy: query.endIndex), first < query.endIndex,
      let second = query.index(first, offsetBy: 1, limitedBy: query.endIndex), second < query.endIndex,
      let high = query[first].hexadecimalValue, let low = query[second].hexadecimalValue
    else { return nil }
    return high << 4 | low
  }
}
