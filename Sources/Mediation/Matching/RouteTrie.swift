/// All patterns as one frozen tree in flat arrays, matched by bytes.
///
/// The first level is the scheme and the host together, each further one a segment of the path. At a node
/// literals are tried first, then the kinds from narrow to wide, then a tail; so of several patterns that
/// match, the first found is the most specific. Captures are places in the URL, known from the pattern that
/// matched, hence nothing of an abandoned branch can remain in them. A look-up visits each node at most once:
/// linear in the URL for usual tables, in the nodes at worst. It takes no memory.
struct RouteTrie: Sendable {
  /// One level of some patterns, and the literal that leads to it, so that a step down is two loads from
  /// memory.
  struct Node: Sendable {
    /// The first eight bytes of its literal, the first in the lowest bits.
    var first: UInt64 = 0
    /// The last eight bytes, if there are more than eight.
    var last: UInt64 = 0
    /// The literal's length; none if a placeholder leads here.
    var length: Int32 = 0
    /// Where in `words` those of the literal stand that neither `first` nor `last` holds whole.
    var words: Int32 = 0
    /// The length of the longest literal that leads on.
    var longest: Int32 = 0
    /// The place in `steps` of those by literals: up to four in turn, or a table by hash.
    var literals = Slice()
    /// The node to which any text leads, if there is one.
    var text: Int32 = -1
    /// Where in `steps` those of the other kinds stand, in the order of `ValueKind.allCases`, if there is one
    /// of any.
    var kinds: Int32 = 0
    /// A bit for each kind that leads on.
    var kindMask: UInt8 = 0
    var exact = Slice()
    var tails = Slice()
  }

  /// A way down from a node.
  struct Step: Sendable {
    /// The higher half of the literal's hash, so that nodes of other literals are hardly ever looked at.
    var tag: UInt32 = 0
    /// The node it leads to; -1 for none.
    var node: Int32 = -1
  }

  /// A run of elements of one of the arrays.
  struct Slice: Sendable {
    var start: Int32 = 0
    var count: Int32 = 0

    @inline(__always)
    var isEmpty: Bool { count == 0 }
    @inline(__always)
    var first: Int { Int(start) }
    /// After the last one.
    @inline(__always)
    var end: Int { Int(start &+ count) }
  }

  /// One pattern that ends at a node.
  struct Entry: Sendable {
    let route: Int32
    /// Which of the route's patterns.
    let form: Int32
    let priority: Int
    /// Whether a pattern elsewhere in the tree may match the same URL with a higher priority.
    let isContested: Bool
    /// The required query keys.
    let keys: Slice
    /// A bit for each segment of the path that a placeholder stands for.
    let captures: UInt64
    let hasRest: Bool
  }

  let nodes: [Node]
  let steps: [Step]
  let words: [UInt64]
  let entries: [Entry]
  /// The bytes of each required query key.
  let keys: [[UInt8]]

  /// The route whose pattern matches, or nil; only routes that `accepts` count.
  func match(
    _ url: RouteURL, leniency: RouteSearch.Leniency = [], where accepts: (Int) -> Bool = RouteSearch.accepts
  ) -> Int? {
    var scan = URLScan()
    do throws(URLFault) { try scan.read(url.text.utf8.span) } catch { return nil }
    var search = RouteSearch(leniency: leniency)
    find(&scan, url.text.utf8.span, &search, where: accepts)
    return search.best.map { Int(entries[$0].route) }
  }

  /// Looks a URL up; what is found stands in the search.
  ///
  /// The scan is not changed: it is passed by its address, because a borrowed one is copied.
  func find(
    _ scan: inout URLScan, _ bytes: Span<UInt8>, _ search: inout RouteSearch,
    where accepts: (Int) -> Bool = RouteSearch.accepts
  ) {
    // A port that is not the scheme's own is another server.
    if scan.port != nil { return }
    search.visits += 1
    let first =
      scan.isHostEscaped
      ? escapedRoot(scan, bytes)
      : child(of: 0, bytes, LabelWords(bytes, at: 0, length: scan.hostEnd, isFolded: true), isFolded: true)
    if first < 0 { return }
    let shape = RouteSearch.Shape(
      segmentCount: scan.segmentCount, escaped: scan.escaped, query: scan.query)
    _ = visit(Int(first), 0, shape, scan.starts.span, bytes, &search, accepts)
  }

  /// So few literals are compared one after another.
  static let fewLiterals = 4

  /// The bit of the widest kind.
  static let text: UInt8 = 1 << UInt8(ValueKind.text.rank)

  /// Walks on from a node; true if the search is over.
  private func visit(
    _ start: Int, _ level: Int, _ shape: RouteSearch.Shape, _ starts: Span<UInt16>, _ bytes: Span<UInt8>,
    _ search: inout RouteSearch, _ accepts: (Int) -> Bool
  ) -> Bool {
    let isLenient = search.leniency.contains(.kinds)
    var index = start
    var depth = level
    walk: while true {
      search.visits &+= 1
      if depth == shape.segmentCount { return offer(nodes[index].exact, shape, bytes, &search, accepts) }
      let label = Int(starts[depth])
      // A segment has one byte or more.
      let length = max(Int(starts[depth &+ 1]) &- 1 &- label, 0)
      var literal: Int32 = -1
      var kinds = nodes[index].kindMask
      if shape.isEscaped(depth) {
        (literal, kinds) = escapedChildren(of: index, bytes, label..<(label &+ length), isLenient)
      } else {
        // Without literals the longest has no bytes, and a label always has one.
        if length <= Int(nodes[index].longest) {
          literal = child(of: index, bytes, LabelWords(bytes, at: label, length: length), isFolded: false)
        }
        // Most tables know one kind at a place, text, which no segment is not.
        if kinds & ~Self.text != 0, !isLenient {
          kinds = narrowKinds(kinds, bytes.extracting(label..<(label &+ length)))
        }
      }
      depth &+= 1
      let tails = nodes[index].tails
      if kinds == 0, tails.isEmpty {
        if literal < 0 { return false }
        index = Int(literal)
        continue
      }
      if literal >= 0, visit(Int(literal), depth, shape, starts, bytes, &search, accepts) { return true }
      while kinds != 0 {
        let child =
          kinds == Self.text
          ? nodes[index].text : steps[Int(nodes[index].kinds) &+ kinds.trailingZeroBitCount].node
        kinds &= kinds &- 1
        // The last way needs no way back.
        if kinds == 0, tails.isEmpty {
          index = Int(child)
          continue walk
        }
        if visit(Int(child), depth, shape, starts, bytes, &search, accepts) { return true }
      }
      return offer(tails, shape, bytes, &search, accepts)
    }
  }

  @inline(__always)
  private func offer(
    _ slice: Slice, _ shape: RouteSearch.Shape, _ bytes: Span<UInt8>, _ search: inout RouteSearch,
    _ accepts: (Int) -> Bool
  ) -> Bool {
    var index = slice.first
    while index < slice.end {
      let number = index
      index &+= 1
      let entry = entries[number]
      if !entry.keys.isEmpty, !search.leniency.contains(.missingFields), !hasKeys(entry.keys, shape, bytes) {
        continue
      }
      guard accepts(Int(entry.route)) else { continue }
      if let best = search.best, entries[best].priority >= entry.priority { continue }
      search.best = number
      if !entry.isContested { return true }
    }
    return false
  }

  private func hasKeys(_ slice: Slice, _ shape: RouteSearch.Shape, _ bytes: Span<UInt8>) -> Bool {
    for key in slice.first..<slice.end {
      let name = keys[key]
      if !URLScan.hasField(bytes, shape.query, named: name.span) { return false }
    }
    return true
  }
}
