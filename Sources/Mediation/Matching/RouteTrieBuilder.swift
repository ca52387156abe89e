/// Grows the tree of patterns, then freezes it.
struct RouteTrieBuilder {
  private struct Draft {
    let pattern: RoutePattern
    let route: Int
    let form: Int
    let priority: Int
    let isContested: Bool
  }

  /// So few literals under a node are compared one after another.
  private static let fewLiterals = 4

  private var tree = PatternTree()
  private var drafts: [Draft] = []

  private var nodes: [RouteTrie.Node] = []
  private var edges: [RouteTrie.Edge] = []
  private var slots: [Int32] = []
  private var words: [UInt64] = []
  private var entries: [RouteTrie.Entry] = []
  private var keys: [[UInt8]] = []

  /// Begins without patterns.
  init() {}

  /// Takes over the tree in which patterns already stand under the numbers 0 and so on; each is then described in turn.
  init(_ tree: PatternTree) { self.tree = tree }

  /// Describes the next pattern of a tree that was taken over.
  mutating func describe(
    _ pattern: RoutePattern, route: Int, form: Int, priority: Int, isContested: Bool
  ) {
    drafts.append(
      Draft(pattern: pattern, route: route, form: form, priority: priority, isContested: isContested))
  }

  /// Adds a route's pattern; `form` tells which one, if it has several.
  mutating func insert(
    _ pattern: RoutePattern, route: Int, form: Int = 0, priority: Int, isContested: Bool
  ) {
    tree.insert(pattern, as: drafts.count)
    describe(pattern, route: route, form: form, priority: priority, isContested: isContested)
  }

  consuming func freeze() -> RouteTrie {
    nodes.reserveCapacity(tree.branches.count)
    edges.reserveCapacity(tree.branches.count)
    for branch in tree.branches { append(branch) }
    return RouteTrie(nodes: nodes, edges: edges, slots: slots, words: words, entries: entries, keys: keys)
  }

  private mutating func append(_ branch: PatternTree.Branch) {
    var node = RouteTrie.Node()
    let first = edges.count
    for (literal, child) in branch.literals.sorted(by: { $0.value < $1.value }) {
      append(literal.text, to: child)
    }
    node.edges = slice(from: first, to: edges.count)
    node.longest = edges[first...].map(\.length).max() ?? 0
    node.slots = appendSlots(first..<edges.count)
    for kind in ValueKind.allCases where branch.kinds[kind.rank] >= 0 {
      node.kinds[kind.rank] = Int32(branch.kinds[kind.rank])
      node.kindMask |= 1 << UInt8(kind.rank)
    }
    node.exact = append(branch.exact)
    node.tails = append(branch.tails)
    nodes.append(node)
  }

  private mutating func append(_ literal: String, to child: Int) {
    let bytes = literal.utf8.span
    let start = words.count
    var offset = 0
    while offset < bytes.count {
      words.append(ByteWords.load(bytes, at: offset, count: bytes.count - offset))
      offset += 8
    }
    edges.append(
      .init(
        firstWord: bytes.isEmpty ? 0 : words[start], length: Int32(bytes.count), words: Int32(start),
        child: Int32(child)))
  }

  /// A table from hashes to edges, at most half full.
  private mutating func appendSlots(_ range: Range<Int>) -> RouteTrie.Slice {
    guard range.count > Self.fewLiterals else { return .init() }
    let start = slots.count
    var size = 8
    while size < 2 * range.count { size *= 2 }
    slots += Array(repeating: -1, count: size)
    for index in range {
      var hash = UInt64(edges[index].length)
      let first = Int(edges[index].words)
      for word in words[first..<first + (Int(edges[index].length) + 7) / 8] {
        hash = ByteWords.mix(hash, word)
      }
      var place = Int(truncatingIfNeeded: hash) & (size - 1)
      while slots[start + place] >= 0 { place = (place + 1) & (size - 1) }
      slots[start + place] = Int32(index)
    }
    return slice(from: start, to: slots.count)
  }

  /// Whoever requires more query fields, or lets no segment be absent, is the more specific and comes first.
  private mutating func append(_ numbers: [Int]) -> RouteTrie.Slice {
    if numbers.isEmpty { return .init() }
    let first = entries.count
    let drafts = numbers.map { self.drafts[$0] }
    let ordered =
      drafts.count == 1
      ? drafts
      : drafts.sorted { Self.specificity($0.pattern) > Self.specificity($1.pattern) }
    for draft in ordered {
      let firstKey = keys.count
      for field in draft.pattern.fields where !field.isOptional { keys.append(Array(field.key.utf8)) }
      var captures: UInt64 = 0
      for (index, segment) in draft.pattern.segments.dropFirst().enumerated() where segment.kind != nil {
        captures |= 1 << UInt64(index)
      }
      entries.append(
        .init(
          route: Int32(draft.route), form: Int32(draft.form), priority: draft.priority,
          isContested: draft.isContested, keys: slice(from: firstKey, to: keys.count), captures: captures,
          hasRest: draft.pattern.hasRest))
    }
    return slice(from: first, to: entries.count)
  }

  private static func specificity(_ pattern: RoutePattern) -> Int {
    2 * pattern.fields.count { !$0.isOptional } + (pattern.isLastOptional ? 0 : 1)
  }

  private func slice(from start: Int, to end: Int) -> RouteTrie.Slice {
    .init(start: Int32(start), count: Int32(end - start))
  }
}
