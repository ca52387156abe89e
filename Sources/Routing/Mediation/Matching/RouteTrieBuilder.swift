/// Builds the tree of patterns and freezes it.
struct RouteTrieBuilder {
  private struct Draft {
    let pattern: RoutePattern
    let route: Int
    let form: Int
    let priority: Int
    let isContested: Bool
  }

  private var tree = PatternTree()
  private var drafts: [Draft] = []

  private var nodes: [RouteTrie.Node] = []
  private var steps: [RouteTrie.Step] = []
  private var words: [UInt64] = []
  private var entries: [RouteTrie.Entry] = []
  private var keys: [ContiguousArray<UInt8>] = []
  private var enumerations: [RouteTrie.Enumeration] = []

  /// Creates a builder without patterns.
  init() {}

  /// Creates a builder from a tree whose patterns are numbered from 0; call `describe` for each in order.
  init(_ tree: PatternTree) { self.tree = tree }

  /// Describes the next pattern of the given tree.
  mutating func describe(
    _ pattern: RoutePattern, route: Int, form: Int, priority: Int, isContested: Bool
  ) {
    drafts.append(
      Draft(pattern: pattern, route: route, form: form, priority: priority, isContested: isContested))
  }

  /// Adds a pattern of a route; `form` is its index among the route's patterns.
  mutating func insert(
    _ pattern: RoutePattern, route: Int, form: Int = 0, priority: Int, isContested: Bool
  ) {
    tree.insert(pattern, as: drafts.count)
    describe(pattern, route: route, form: form, priority: priority, isContested: isContested)
  }

  consuming func freeze() -> RouteTrie {
    nodes = Array(repeating: RouteTrie.Node(), count: tree.branches.count)
    steps.reserveCapacity(2 * tree.branches.count)
    for (index, branch) in tree.branches.enumerated() { fill(index, with: branch) }
    return RouteTrie(
      nodes: nodes, steps: steps, words: words, entries: entries, keys: keys, enumerations: enumerations)
  }

  private mutating func fill(_ index: Int, with branch: PatternTree.Branch) {
    var literals: [(child: Int, hash: UInt64)] = []
    for (literal, child) in branch.literals.sorted(by: { $0.value < $1.value }) {
      literals.append((child, write(literal.text, to: child)))
      nodes[index].longest = max(nodes[index].longest, nodes[child].length)
    }
    nodes[index].literals = append(literals)
    for (kind, branch) in branch.kinds {
      let child = Int32(branch)
      nodes[index].kindMask |= 1 << UInt8(kind.rank)
      if kind == .text {
        nodes[index].text = child
        continue
      }
      if nodes[index].kinds == 0 {
        // 0 means none: the root, which comes first, has literals, so no node's kinds begin at 0.
        nodes[index].kinds = Int32(steps.count)
        steps += Array(repeating: .init(), count: RoutePattern.ValueKind.textRank + 1)
      }
      let place = Int(nodes[index].kinds) + kind.rank
      if case .oneOf(let texts) = kind {
        if steps[place].node < 0 { steps[place].node = Int32(enumerations.count) }
        steps[place].tag += 1
        enumerations.append(.init(texts: texts.map { Array($0.utf8) }, node: child))
      } else {
        steps[place].node = child
      }
    }
    nodes[index].exact = append(branch.exact)
    nodes[index].tails = append(branch.tails)
  }

  /// Writes a literal into its node and returns its hash.
  private mutating func write(_ literal: String, to child: Int) -> UInt64 {
    SpanAccess.withBytes(of: literal) { write($0, to: child) }
  }

  private mutating func write(_ bytes: Span<UInt8>, to child: Int) -> UInt64 {
    let label = LabelWords(bytes, at: 0, length: bytes.count)
    nodes[child].first = label.first
    nodes[child].last = label.last
    nodes[child].length = Int32(bytes.count)
    nodes[child].words = Int32(words.count)
    var offset = 8
    while offset + 8 < bytes.count {
      words.append(label.word(bytes, offset, false))
      offset += 8
    }
    return label.hash(bytes)
  }

  /// Appends few literals in sequence, or more as a hash table that is at most half full.
  private mutating func append(_ literals: [(child: Int, hash: UInt64)]) -> RouteTrie.Slice {
    let start = steps.count
    if literals.count <= RouteTrie.fewLiterals {
      for literal in literals { steps.append(step(literal)) }
      return slice(from: start, to: steps.count)
    }
    var size = 16
    while size < 2 * literals.count { size *= 2 }
    steps += Array(repeating: .init(), count: size)
    for literal in literals {
      var place = Int(truncatingIfNeeded: literal.hash) & (size - 1)
      while steps[start + place].node >= 0 { place = (place + 1) & (size - 1) }
      steps[start + place] = step(literal)
    }
    return slice(from: start, to: steps.count)
  }

  private func step(_ literal: (child: Int, hash: UInt64)) -> RouteTrie.Step {
    .init(tag: LabelWords.tag(literal.hash), node: Int32(literal.child))
  }

  /// Appends the entries of the patterns that end at one node, most specific first.
  private mutating func append(_ numbers: [Int]) -> RouteTrie.Slice {
    if numbers.isEmpty { return .init() }
    let first = entries.count
    let drafts = numbers.map { self.drafts[$0] }
    let ordered =
      drafts.count == 1
      ? drafts
      : drafts.sorted { Self.precedes($0.pattern, $1.pattern) }
    for draft in ordered {
      let firstKey = keys.count
      for field in draft.pattern.fields where !field.isOptional {
        keys.append(ContiguousArray(field.key.utf8))
      }
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

  /// Orders patterns that end at one node so that each precedes the patterns that include it (M9).
  ///
  /// Their paths are alike up to this node, so they differ in their required query fields and in the last
  /// segment: absent, or optional and of some kind. Of two such sets of URLs the included one requires at
  /// least as many fields, and has no optional segment or one of a narrower kind.
  private static func precedes(_ first: RoutePattern, _ second: RoutePattern) -> Bool {
    let requirements = (first.fields.count { !$0.isOptional }, second.fields.count { !$0.isOptional })
    if requirements.0 != requirements.1 { return requirements.0 > requirements.1 }
    switch (first.optionalKind, second.optionalKind) {
    case (nil, _?): return true
    case (let one?, let other?): return one.precedes(other)
    default: return false
    }
  }

  private func slice(from start: Int, to end: Int) -> RouteTrie.Slice {
    .init(start: Int32(start), count: Int32(end - start))
  }
}

extension RoutePattern {
  /// The kind of the optional last segment; nil if there is none.
  fileprivate var optionalKind: ValueKind? { isLastOptional ? segments.last?.kind : nil }
}

/// A list of patterns in which the most specific one that matches a URL is found in one look-up.
package struct PatternIndex: Sendable {
  private let trie: RouteTrie

  /// Creates an index of patterns of which no two overlap, unless one is more specific.
  package init(_ patterns: some Sequence<RoutePattern>) {
    var builder = RouteTrieBuilder()
    for (position, pattern) in patterns.enumerated() {
      builder.insert(pattern, route: position, priority: 0, isContested: false)
    }
    trie = builder.freeze()
  }

  /// Returns the position of the most specific pattern that matches a URL; nil if none does.
  package func position(of url: RouteURL) -> Int? { trie.match(url) }
}
