/// All patterns as one frozen tree in flat arrays, matched by bytes.
///
/// The first level is the scheme and the host together, each further one a segment of the path. At a node literals are
/// tried first, then the kinds from narrow to wide, then a tail; so of several patterns that match, the first found is
/// the most specific. Captures are places in the URL, known from the pattern that matched, hence nothing of an
/// abandoned branch can remain in them. A look-up visits each node at most once: linear in the URL for usual tables, in
/// the nodes at worst. It takes no memory.
struct RouteTrie: Sendable {
  /// One level of some patterns.
  struct Node: Sendable {
    var edges = Slice()
    /// The places in `slots` where an edge's hash leads; none if the edges are so few that they are compared in turn.
    var slots = Slice()
    /// The length of the longest literal.
    var longest: Int32 = 0
    /// The child of each kind in the order of `ValueKind.allCases`.
    var kinds: InlineArray<5, Int32> = .init(repeating: -1)
    /// A bit for each kind that has a child.
    var kindMask: UInt8 = 0
    var exact = Slice()
    var tails = Slice()
  }

  /// A run of elements of one of the arrays.
  struct Slice: Sendable {
    var start: Int32 = 0
    var count: Int32 = 0

    var isEmpty: Bool { count == 0 }
    var range: Range<Int> { Int(start)..<Int(start &+ count) }
  }

  /// A literal and where it leads.
  struct Edge: Sendable {
    /// The first eight bytes, the first in the lowest bits.
    let firstWord: UInt64
    let length: Int32
    /// Where in `words` the literal stands, eight bytes to a word.
    let words: Int32
    let child: Int32
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
  let edges: [Edge]
  let slots: [Int32]
  let words: [UInt64]
  let entries: [Entry]
  /// The bytes of each required query key.
  let keys: [[UInt8]]

  /// The route whose pattern matches, or nil; only routes that `accepts` count.
  func match(
    _ url: RouteURL, leniency: RouteSearch.Leniency = [], where accepts: (Int) -> Bool = { _ in true }
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
    where accepts: (Int) -> Bool = { _ in true }
  ) {
    // A port that is not the scheme's own is another server.
    if scan.port != nil { return }
    search.visits += 1
    let first =
      scan.isHostEscaped
      ? escapedRoot(scan, bytes)
      : child(of: 0, bytes, 0..<scan.hostEnd, isFolded: true)
    if first < 0 { return }
    let shape = RouteSearch.Shape(
      segmentCount: scan.segmentCount, escaped: scan.escaped, query: scan.query)
    _ = visit(Int(first), 0, shape, scan.starts.span, bytes, &search, accepts)
  }

  /// Walks on from a node; true if the search is over.
  private func visit(
    _ start: Int, _ level: Int, _ shape: RouteSearch.Shape, _ starts: Span<UInt16>, _ bytes: Span<UInt8>,
    _ search: inout RouteSearch, _ accepts: (Int) -> Bool
  ) -> Bool {
    var index = start
    var depth = level
    walk: while true {
      search.visits += 1
      if depth == shape.segmentCount { return offer(nodes[index].exact, shape, bytes, &search, accepts) }
      let isLenient = search.leniency.contains(.kinds)
      let (literal, found) =
        shape.isEscaped(depth)
        ? escapedChildren(of: index, bytes, URLScan.segment(depth, starts), isLenient)
        : children(of: index, bytes, URLScan.segment(depth, starts), isLenient)
      var kinds = found
      let tails = nodes[index].tails
      depth += 1
      if kinds == 0, tails.isEmpty {
        if literal < 0 { return false }
        index = Int(literal)
        continue
      }
      if literal >= 0, visit(Int(literal), depth, shape, starts, bytes, &search, accepts) { return true }
      while kinds != 0 {
        let child = Int(nodes[index].kinds[kinds.trailingZeroBitCount])
        kinds &= kinds &- 1
        // The last way needs no way back.
        if kinds == 0, tails.isEmpty {
          index = child
          continue walk
        }
        if visit(child, depth, shape, starts, bytes, &search, accepts) { return true }
      }
      return offer(tails, shape, bytes, &search, accepts)
    }
  }

  private func offer(
    _ slice: Slice, _ shape: RouteSearch.Shape, _ bytes: Span<UInt8>, _ search: inout RouteSearch,
    _ accepts: (Int) -> Bool
  ) -> Bool {
    for index in slice.range {
      let entry = entries[index]
      if !entry.keys.isEmpty, !search.leniency.contains(.missingFields), !hasKeys(entry.keys, shape, bytes) {
        continue
      }
      guard accepts(Int(entry.route)) else { continue }
      if let best = search.best, entries[best].priority >= entry.priority { continue }
      search.best = index
      if !entry.isContested { return true }
    }
    return false
  }

  private func hasKeys(_ slice: Slice, _ shape: RouteSearch.Shape, _ bytes: Span<UInt8>) -> Bool {
    for key in slice.range {
      let name = keys[key]
      if !URLScan.hasField(bytes, shape.query, named: name.span) { return false }
    }
    return true
  }
}
