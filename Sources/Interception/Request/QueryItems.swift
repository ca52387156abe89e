/// The name and value pairs of a path's query, percent-decoded.
package struct QueryItems: Sendable, Hashable {
  /// A name and a value, as bytes, because a query need not be valid UTF-8.
  package struct Item: Sendable, Hashable {
    package let name: [UInt8]
    package let value: [UInt8]
  }

  /// The path before the query, as written.
  package let path: String
  /// The pairs, in the order in which they were written.
  package let items: [Item]

  /// Splits a path and decodes its query.
  package init(_ pathAndQuery: String) {
    let pairs = QueryPairs(pathAndQuery)
    path = String(decoding: pathAndQuery.utf8.prefix(pairs.pathCount), as: UTF8.self)
    items = pairs.bounds.map { bounds in
      Item(
        name: Array(pairs.bytes[bounds.start..<bounds.middle]),
        value: Array(pairs.bytes[bounds.middle..<bounds.end]))
    }
  }
}
