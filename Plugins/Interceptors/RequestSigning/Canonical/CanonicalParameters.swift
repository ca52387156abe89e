import Cryptography
import Interception

/// The canonical form of a path's parameters, which both ends sign: their number, then names and values,
/// sorted by name.
///
/// Values of the same name keep their order, which may matter to a server: `a=1&a=2` is not `a=2&a=1`.
struct CanonicalParameters {
  /// The SHA-256 of the form, or nil if the path has no parameters.
  let hash: HashValue?
  /// The number of bytes of the path before its query.
  let pathCount: Int

  /// Parses and hashes the parameters of a path, with a hash context that can be reused.
  init(of path: String, hashingIn digest: inout Digest) throws(CryptographyError) {
    let plain = path.utf8.withContiguousStorageIfAvailable { Plain(UnsafeRawBufferPointer($0)) } ?? nil
    guard let plain else {
      let query = QueryPairs(path)
      hash = try Self.hash(of: query, in: &digest)
      pathCount = query.pathCount
      return
    }
    pathCount = plain.mark
    guard plain.count > 0 else {
      hash = nil
      return
    }
    try digest.restart()
    let isDone = path.utf8.withContiguousStorageIfAvailable { path in
      let path = UnsafeRawBufferPointer(path)
      return FieldWriter.withBytes(reserving: plain.room) {
        plain.write(path, to: &$0)
      } read: {
        digest.takes($0)
      }
    }
    guard isDone == true else { throw Digest.failure }
    hash = try digest.value()
  }

  private static func hash(
    of query: QueryPairs, in digest: inout Digest
  ) throws(CryptographyError) -> HashValue? {
    guard !query.bounds.isEmpty else { return nil }
    var query = query
    query.sortByName()
    var form = LengthPrefixed(reserving: query.bytes.count + query.bounds.count * 16 + 8)
    form.append(query)
    try digest.restart()
    try digest.update(form.bytes)
    return try digest.value()
  }
}

extension CanonicalParameters {
  /// Parameters that need neither decoding nor sorting, as is usual.
  private struct Plain {
    /// The index of the question mark, or the end of the path.
    let mark: Int
    /// The number of pairs.
    let count: Int
    /// The length of the form in bytes.
    let room: Int

    /// Examines the parameters of a path; nil if any needs decoding or sorting.
    init?(_ path: UnsafeRawBufferPointer) {
      mark = path.firstIndex(of: UInt8(ascii: "?")) ?? path.count
      var pairs = Pairs(path, after: mark)
      var former: Pair?
      var count = 0
      while let pair = pairs.next() {
        if let former, pair.precedes(former, in: path) { return nil }
        (former, count) = (pair, count + 1)
      }
      guard !pairs.areCoded else { return nil }
      self.count = count
      room = FieldWriter.prefixSize * (2 * count + 1) + path.count - mark
    }

    /// Writes the form.
    func write(_ path: UnsafeRawBufferPointer, to fields: inout FieldWriter) {
      fields.append(count: count)
      var pairs = Pairs(path, after: mark)
      while let pair = pairs.next() {
        fields.append(UnsafeRawBufferPointer(rebasing: path[pair.start..<pair.nameEnd]))
        fields.append(UnsafeRawBufferPointer(rebasing: path[min(pair.nameEnd + 1, pair.end)..<pair.end]))
      }
    }
  }

  /// The indices of a pair: its start, the end of its name, its end.
  private struct Pair {
    let start: Int
    let nameEnd: Int
    let end: Int

    func precedes(_ other: Pair, in path: UnsafeRawBufferPointer) -> Bool {
      path[start..<nameEnd].lexicographicallyPrecedes(path[other.start..<other.nameEnd])
    }
  }

  /// Iterates over the pairs of a query, skipping empty ones.
  private struct Pairs {
    private let path: UnsafeRawBufferPointer
    private var index: Int
    /// Whether any byte was percent-encoded or a plus sign.
    private(set) var areCoded = false

    init(_ path: UnsafeRawBufferPointer, after mark: Int) {
      self.path = path
      index = mark + 1
    }

    mutating func next() -> Pair? {
      while index < path.count, path[index] == UInt8(ascii: "&") { index += 1 }
      guard index < path.count else { return nil }
      let start = index
      var nameEnd: Int?
      while index < path.count {
        let byte = path[index]
        if byte == UInt8(ascii: "&") { break }
        if byte == UInt8(ascii: "="), nameEnd == nil { nameEnd = index }
        if byte == UInt8(ascii: "%") || byte == UInt8(ascii: "+") { areCoded = true }
        index += 1
      }
      return Pair(start: start, nameEnd: nameEnd ?? index, end: index)
    }
  }
}
