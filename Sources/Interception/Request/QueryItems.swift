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
    let pairs = QueryPairs(pathAndQuery)
    path = String(decoding: pathAndQuery.utf8.prefix(pairs.pathCount), as: UTF8.self)
    items = pairs.bounds.map { bounds in
      Item(
        name: Array(pairs.bytes[bounds.start..<bounds.middle]),
        value: Array(pairs.bytes[bounds.middle..<bounds.end]))
    }
  }

  /// The pairs, sorted by bytes: the order in which they were written doesn't matter.
  package var sorted: [Item] { items.sorted() }
}
