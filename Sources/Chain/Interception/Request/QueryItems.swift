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

/// The name and value pairs of a path's query, decoded into one buffer: at most two heap allocations.
///
/// ``QueryItems`` is built from it. Use it directly if the pairs are only copied elsewhere.
package struct QueryPairs: Sendable {
  /// The position of a pair in the buffer: the name ends at `middle`, where the value starts.
  package struct Bounds: Sendable {
    package let start: Int
    package let middle: Int
    package let end: Int
  }

  /// The decoded names and values, concatenated.
  package private(set) var bytes: [UInt8] = []
  /// The pairs, in the order in which they were written.
  package private(set) var bounds: [Bounds] = []
  /// The length in bytes of the path before the query.
  package private(set) var pathCount: Int

  /// Splits a path and decodes its query; without a query it allocates nothing.
  package init(_ pathAndQuery: String) {
    pathCount = pathAndQuery.utf8.count
    let isDone: Void? = pathAndQuery.utf8.withContiguousStorageIfAvailable { read($0) }
    if isDone == nil { Array(pathAndQuery.utf8).withUnsafeBufferPointer { read($0) } }
  }

  private mutating func read(_ text: UnsafeBufferPointer<UInt8>) {
    guard let mark = text.firstIndex(of: UInt8(ascii: "?")) else { return }
    pathCount = mark
    bytes.reserveCapacity(text.count - mark)
    bounds.reserveCapacity(8)
    var index = mark + 1
    while index < text.count {
      let start = bytes.count
      var middle: Int?
      let first = index
      while index < text.count, text[index] != UInt8(ascii: "&") {
        switch text[index] {
        case UInt8(ascii: "=") where middle == nil: middle = bytes.count
        case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
        case UInt8(ascii: "%"):
          if index + 2 < text.count, let high = text[index + 1].hexadecimalValue,
            let low = text[index + 2].hexadecimalValue
          {
            bytes.append(high << 4 | low)
            index += 2
          } else {
            bytes.append(UInt8(ascii: "%"))
          }
        case let byte: bytes.append(byte)
        }
        index += 1
      }
      if index > first {
        bounds.append(Bounds(start: start, middle: middle ?? bytes.count, end: bytes.count))
      }
      index += 1
    }
  }
}
