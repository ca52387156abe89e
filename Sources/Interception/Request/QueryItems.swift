/// The name and value pairs of a path's query, decoded once.
package struct QueryItems: Sendable, Hashable {
  /// A pair; bytes, because a query need not be text.
  package struct Item: Sendable, Hashable, Comparable {
    package let name: [UInt8]
    package let value: [UInt8]

    package static func < (left: Item, right: Item) -> Bool {
      left.name == right.name
        ? left.value.lexicographicallyPrecedes(right.value) : left.name.lexicographicallyPrecedes(right.name)
    }
  }

  /// The path before the query, as it was written.
  package let path: String
  /// The pairs, in the order in which they were written.
  package let items: [Item]

  /// Splits the path of a request.
  package init(_ pathAndQuery: String) {
    let parts = pathAndQuery.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = parts.first.map(String.init) ?? ""
    guard parts.count == 2 else {
      items = []
      return
    }
    items = parts[1].utf8.split(separator: UInt8(ascii: "&")).map { pair in
      let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return Item(
        name: Self.decoded(halves.first ?? pair[...]), value: halves.count == 2 ? Self.decoded(halves[1]) : []
      )
    }
  }

  /// The pairs, sorted by bytes: the order in which they were written doesn't matter.
  package var sorted: [Item] { items.sorted() }

  private static func decoded(_ bytes: Substring.UTF8View.SubSequence) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let high = digit(rest.first), let low = digit(rest.dropFirst().first) {
        decoded.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        decoded.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return decoded
  }

  private static func digit(_ byte: UInt8?) -> UInt8? {
    switch byte {
    case .some(let byte) where (0x30...0x39).contains(byte): byte - 0x30
    case .some(let byte) where (0x41...0x46).contains(byte): byte - 0x41 + 10
    case .some(let byte) where (0x61...0x66).contains(byte): byte - 0x61 + 10
    default: nil
    }
  }
}
