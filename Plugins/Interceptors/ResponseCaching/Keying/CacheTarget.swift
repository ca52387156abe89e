import Cryptography
import HTTPTypes
import Interception

/// A target URI in canonical, injective bytes: scheme, authority, path, and query pairs sorted by name.
struct CacheTarget {
  private typealias Bytes = UnsafeRawBufferPointer

  private let scheme: String
  private let authority: String
  private let path: String

  /// Creates the target of a request.
  init(_ head: HTTPRequest) {
    scheme = Self.lowercased(head.scheme ?? "")
    authority = Self.authority(head.authority ?? "", scheme: scheme)
    path = head.path ?? ""
  }

  /// The maximum number of bytes that the target takes.
  var room: Int {
    let separators = path.utf8.withContiguousStorageIfAvailable { bytes in
      var count = 0
      for byte in bytes where byte == UInt8(ascii: "&") { count += 1 }
      return count
    }
    // Each pair has a prefix, as have scheme, authority and path; an empty path is written as a slash.
    let pairs = (separators ?? path.utf8.count) + 1
    return scheme.utf8.count + authority.utf8.count + path.utf8.count + 1 + (pairs + 3)
      * FieldWriter.prefixSize
  }

  /// Returns the target without the pairs of the given names.
  func bytes(leavingOut parameters: Set<String>) -> [UInt8] {
    FieldWriter.bytes(reserving: room) { write(to: &$0, leavingOut: parameters) }
  }

  /// Writes the target without the pairs of the given names.
  func write(to fields: inout FieldWriter, leavingOut parameters: Set<String>) {
    fields.append(scheme)
    fields.append(authority)
    withPath { Self.write($0, to: &fields, leavingOut: parameters) }
  }

  /// Whether the pairs of the query have another order than the one in which ``write(to:leavingOut:)`` writes
  /// them.
  func isUnsorted(leavingOut parameters: Set<String>) -> Bool {
    withPath { path in
      var isUnsorted = false
      var former: Pair?
      Self.forEachPair(of: path, leavingOut: parameters) { pair in
        if let former, pair.precedes(former, in: path) { isUnsorted = true }
        former = pair
      }
      return isUnsorted
    }
  }

  /// Writes the pairs of the query in their own order, without those of the given names.
  func writeQuery(to fields: inout FieldWriter, leavingOut parameters: Set<String>) {
    withPath { path in
      Self.forEachPair(of: path, leavingOut: parameters) { pair in
        fields.append(Bytes(rebasing: path[pair.start..<pair.end]))
      }
    }
  }

  private func withPath<Result>(_ read: (Bytes) -> Result) -> Result {
    path.utf8.withContiguousStorageIfAvailable { read(UnsafeRawBufferPointer($0)) }
      ?? Array(path.utf8).withUnsafeBytes { read($0) }
  }

  /// The text with `A` to `Z` in lower case; usually the text itself.
  private static func lowercased(_ text: String) -> String {
    let isLowercase = text.utf8.withContiguousStorageIfAvailable { bytes in
      !bytes.contains { (0x41...0x5a).contains($0) }
    }
    guard isLowercase != true else { return text }
    return String(decoding: text.utf8.map { (0x41...0x5a).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
  }

  /// The authority in lower case, without the scheme's default port.
  private static func authority(_ authority: String, scheme: String) -> String {
    let isCanonical = authority.utf8.withContiguousStorageIfAvailable { bytes in
      !bytes.contains { (0x41...0x5a).contains($0) || $0 == UInt8(ascii: ":") }
    }
    guard isCanonical != true else { return authority }
    let authority = lowercased(authority)
    let implied =
      switch scheme {
      case "https": ":443"
      case "http": ":80"
      default: ""
      }
    let bytes = authority.utf8
    guard !implied.isEmpty, bytes.suffix(implied.utf8.count).elementsEqual(implied.utf8) else {
      return authority
    }
    return String(decoding: bytes.dropLast(implied.utf8.count), as: UTF8.self)
  }

  private static func write(
    _ path: Bytes, to fields: inout FieldWriter, leavingOut parameters: Set<String>
  ) {
    let mark = path.firstIndex(of: UInt8(ascii: "?")) ?? path.count
    if mark == 0 { fields.append("/") } else { fields.append(Bytes(rebasing: path[..<mark])) }
    guard mark < path.count else { return }
    let start = fields.count
    if parameters.isEmpty, writeInOrder(path, from: mark + 1, to: &fields) { return }
    fields.truncate(to: start)
    for pair in sortedPairs(of: path, leavingOut: parameters) {
      fields.append(Bytes(rebasing: path[pair.start..<pair.end]))
    }
  }

  /// The indices of a query pair: its start, the end of its name, its end.
  private struct Pair {
    let start: Int
    let nameEnd: Int
    let end: Int

    /// Parses the pair that starts at an index.
    init(in path: Bytes, from start: Int) {
      var (index, nameEnd) = (start, -1)
      while index < path.count, path[index] != UInt8(ascii: "&") {
        if nameEnd < 0, path[index] == UInt8(ascii: "=") { nameEnd = index }
        index += 1
      }
      self.start = start
      self.nameEnd = nameEnd < 0 ? index : nameEnd
      end = index
    }

    /// Whether this pair's name sorts before another one's, byte by byte.
    func precedes(_ other: Pair, in path: Bytes) -> Bool {
      path[start..<nameEnd].lexicographicallyPrecedes(path[other.start..<other.nameEnd])
    }
  }

  /// Writes the pairs in order; returns false if they aren't sorted by name, as they usually are.
  private static func writeInOrder(_ path: Bytes, from first: Int, to fields: inout FieldWriter) -> Bool {
    var former: Pair?
    var start = first
    while start <= path.count {
      let pair = Pair(in: path, from: start)
      if let former, pair.precedes(former, in: path) { return false }
      fields.append(Bytes(rebasing: path[pair.start..<pair.end]))
      (former, start) = (pair, pair.end + 1)
    }
    return true
  }

  /// Returns the query's pairs sorted by name; pairs with the same name keep their order.
  private static func sortedPairs(of path: Bytes, leavingOut parameters: Set<String>) -> [Pair] {
    var pairs: [Pair] = []
    forEachPair(of: path, leavingOut: parameters) { pairs.append($0) }
    return pairs.enumerated().sorted { left, right in
      if left.element.precedes(right.element, in: path) { return true }
      return !right.element.precedes(left.element, in: path) && left.offset < right.offset
    }.map(\.element)
  }

  /// Calls a closure with each pair of the query, in order, except for those of the given names.
  private static func forEachPair(
    of path: Bytes, leavingOut parameters: Set<String>, _ body: (Pair) -> Void
  ) {
    guard let mark = path.firstIndex(of: UInt8(ascii: "?")) else { return }
    var start = mark + 1
    while start <= path.count {
      let pair = Pair(in: path, from: start)
      if parameters.isEmpty
        || !parameters.contains(String(decoding: path[pair.start..<pair.nameEnd], as: UTF8.self))
      {
        body(pair)
      }
      start = pair.end + 1
    }
  }
}
