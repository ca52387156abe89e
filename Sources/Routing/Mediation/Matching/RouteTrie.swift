/// All patterns as an immutable tree in flat arrays, matched by bytes.
///
/// The first level is the scheme together with the host, each further level a path segment. At each node
/// literals are tried first, then kinds from narrow to wide, then a tail, so the first pattern found is the
/// most specific one. Captured values are found by position in the pattern that matched, so nothing of an
/// abandoned branch remains. A look-up visits each node at most once: its time is linear in the URL for usual
/// tables, and linear in the number of nodes in the worst case. It allocates nothing.
struct RouteTrie: Sendable {
  /// One level of some patterns, together with its own literal, so that a step takes two loads from memory.
  struct Node: Sendable {
    /// The first eight bytes of the literal, the first in the lowest bits.
    var first: UInt64 = 0
    /// The last eight bytes, if there are more than eight.
    var last: UInt64 = 0
    /// The length of the literal; 0 if the node belongs to a placeholder.
    var length: Int32 = 0
    /// The index in `words` of the literal's words that `first` and `last` do not fully contain.
    var words: Int32 = 0
    /// The length of the longest child literal.
    var longest: Int32 = 0
    /// The slots in `steps` of the child literals: up to four in sequence, or a hash table.
    var literals = Slice()
    /// The child for `text`, or -1.
    var text: Int32 = -1
    /// The index in `steps` of the children for the other kinds, in the order of
    /// `RoutePattern.ValueKind.rank`; 0 for none.
    var kinds: Int32 = 0
    /// One bit per kind that has a child; one for all enumerations.
    var kindMask: UInt8 = 0
    var exact = Slice()
    var tails = Slice()
  }

  /// An edge from a node to a child.
  struct Step: Sendable {
    /// The higher half of the literal's hash, which rules out most other literals without loading their
    /// nodes.
    var tag: UInt32 = 0
    /// The child; -1 for none.
    var node: Int32 = -1
  }

  /// The texts of an enumeration and the node that they lead to.
  struct Enumeration: Sendable {
    let texts: [[UInt8]]
    let node: Int32
  }

  /// A range of elements in one of the arrays.
  struct Slice: Sendable {
    var start: Int32 = 0
    var count: Int32 = 0

    @inline(__always)
    var isEmpty: Bool { count == 0 }
    @inline(__always)
    var first: Int { Int(start) }
    /// The index after the last element.
    @inline(__always)
    var end: Int { Int(start &+ count) }
  }

  /// A pattern that ends at a node.
  struct Entry: Sendable {
    let route: Int32
    /// The index among the route's patterns.
    let form: Int32
    let priority: Int
    /// Whether a pattern elsewhere in the tree may match the same URL with a higher priority.
    let isContested: Bool
    /// The required query keys, in `keys`.
    let keys: Slice
    /// One bit per path segment, set if the segment is a placeholder.
    let captures: UInt64
    let hasRest: Bool
  }

  let nodes: [Node]
  let steps: [Step]
  let words: [UInt64]
  let entries: [Entry]
  /// The bytes of each required query key.
  let keys: [ContiguousArray<UInt8>]
  /// The enumerations of all nodes, those of one node in sequence.
  ///
  /// In the step of a node's enumerations, `node` is the index of the first one and `tag` is their number.
  let enumerations: [Enumeration]

  /// Returns the route whose pattern matches, or nil; considers only routes that `accepts` admits.
  func match(
    _ url: RouteURL, leniency: RouteSearch.Leniency = [], where accepts: (Int) -> Bool = RouteSearch.accepts
  ) -> Int? {
    entry(of: url, leniency: leniency, where: accepts).map { Int($0.route) }
  }

  /// Returns where the pattern that matches ends, or nil; considers only routes that `accepts` admits.
  func entry(
    of url: RouteURL, leniency: RouteSearch.Leniency = [],
    where accepts: (Int) -> Bool = RouteSearch.accepts
  ) -> Entry? {
    var search = RouteSearch(leniency: leniency)
    SpanAccess.withBytes(of: url.text) { bytes in
      url.parts.scan.starts.withSpan { find(url.parts.scan, $0, bytes, &search, where: accepts) }
    }
    return search.best.map { entries[$0] }
  }

  /// Looks up a URL and stores the result in the search.
  func find(
    _ scan: borrowing URLScan, _ starts: Span<UInt16>, _ bytes: Span<UInt8>, _ search: inout RouteSearch,
    where accepts: (Int) -> Bool = RouteSearch.accepts
  ) {
    // A port other than the scheme's default is another server.
    if scan.port != nil { return }
    search.visits += 1
    let first =
      scan.isHostEscaped
      ? escapedRoot(scan, bytes)
      : child(of: 0, bytes, LabelWords(bytes, at: 0, length: scan.hostEnd, isFolded: true), isFolded: true)
    if first < 0 { return }
    let shape = RouteSearch.Shape(
      segmentCount: scan.segmentCount, escaped: scan.escaped, query: scan.query)
    _ = visit(Int(first), 0, shape, starts, bytes, &search, accepts)
  }

  /// The maximum number of literals that are compared in sequence.
  static let fewLiterals = 4

  /// The bit of the widest kind.
  static let text: UInt8 = 1 << UInt8(RoutePattern.ValueKind.textRank)
  /// The bit of all enumerations.
  static let enumeration: UInt8 = 1 << UInt8(RoutePattern.ValueKind.enumerationRank)

  /// Continues from a node; returns true if the search is over.
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
      // A segment has at least one byte.
      let length = max(Int(starts[depth &+ 1]) &- 1 &- label, 0)
      var literal: Int32 = -1
      var kinds = nodes[index].kindMask
      if shape.isEscaped(depth) {
        (literal, kinds) = escapedChildren(of: index, bytes, label..<(label &+ length), isLenient)
      } else {
        // Without literals, `longest` is 0, which is less than the length of any label.
        if length <= Int(nodes[index].longest) {
          literal = child(of: index, bytes, LabelWords(bytes, at: label, length: length), isFolded: false)
        }
        // Most tables use only the kind `text`, which every segment belongs to.
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
        let child: Int32
        if kinds == Self.text {
          child = nodes[index].text
        } else if kinds & (0 &- kinds) == Self.enumeration {
          kinds &= kinds &- 1
          let label = label..<(label &+ length)
          for enumeration in enumerations(of: index) where isLenient || has(enumeration, bytes, label) {
            if visit(Int(enumeration.node), depth, shape, starts, bytes, &search, accepts) { return true }
          }
          continue
        } else {
          child = steps[Int(nodes[index].kinds) &+ kinds.trailingZeroBitCount].node
        }
        kinds &= kinds &- 1
        // The last alternative needs no backtracking.
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

/// The options and the result of a look-up.
struct RouteSearch {
  /// The conditions that a look-up ignores, to find out why a URL matches nothing.
  struct Leniency: OptionSet {
    let rawValue: Int
    static let missingFields = Leniency(rawValue: 1)
    static let kinds = Leniency(rawValue: 2)
  }

  /// The facts about a URL that a walk needs besides its bytes and the offsets of its segments.
  struct Shape {
    let segmentCount: Int
    let escaped: UInt64
    let query: Range<Int>

    /// Returns whether a segment contains percent-encoded bytes.
    @inline(__always)
    func isEscaped(_ index: Int) -> Bool { escaped & (1 &<< UInt64(truncatingIfNeeded: index)) != 0 }
  }

  let leniency: Leniency
  /// The index of the best entry found so far.
  var best: Int?
  /// The number of visited nodes.
  var visits = 0

  /// Accepts every route.
  static func accepts(_ route: Int) -> Bool { true }

  init(leniency: Leniency = []) { self.leniency = leniency }
}
