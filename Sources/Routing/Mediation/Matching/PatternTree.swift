/// A mutable tree of patterns with one level per segment; the first level is the scheme and the host.
struct PatternTree {
  /// The patterns with a common beginning.
  struct Branch {
    var literals: [LiteralText: Int] = [:]
    /// The children by kinds, in the order in which they are tried.
    var kinds: [(kind: RoutePattern.ValueKind, child: Int)] = []
    /// The patterns that end here.
    var exact: [Int] = []
    /// The patterns whose tail begins here.
    var tails: [Int] = []
  }

  private(set) var branches = [Branch()]

  /// Adds a pattern under a number; a pattern with an optional last segment ends at two branches.
  mutating func insert(_ pattern: RoutePattern, as number: Int) {
    var branch = literal("\(pattern.scheme)://\(pattern.host)", under: 0)
    for (index, segment) in pattern.segments.enumerated().dropFirst() {
      if pattern.isLastOptional, index == pattern.segments.count - 1 { branches[branch].exact.append(number) }
      switch segment {
      case .literal(let text): branch = literal(text, under: branch)
      case .value(_, let kind): branch = self.kind(kind, under: branch)
      case .rest:
        branches[branch].tails.append(number)
        return
      }
    }
    branches[branch].exact.append(number)
  }

  private mutating func literal(_ text: String, under branch: Int) -> Int {
    let key = LiteralText(text: text)
    if let child = branches[branch].literals[key] { return child }
    let child = branches.count
    branches[branch].literals[key] = child
    branches.append(Branch())
    return child
  }

  private mutating func kind(_ kind: RoutePattern.ValueKind, under branch: Int) -> Int {
    // The same texts in another order are the same kind, and `true|false` is `bool`. In two branches the one
    // that is tried first could hide a more specific pattern in the other.
    if let known = branches[branch].kinds.first(where: { $0.kind.isSame(as: kind) }) { return known.child }
    let child = branches.count
    branches[branch].kinds.append((kind, child))
    branches[branch].kinds.sort { $0.kind.precedes($1.kind) }
    branches.append(Branch())
    return child
  }
}

/// A literal of a pattern as a dictionary key, compared by bytes.
///
/// `String` compares by canonical equivalence, URLs do not.
struct LiteralText: Hashable {
  let text: String

  static func == (left: LiteralText, right: LiteralText) -> Bool {
    SpanAccess.withBytes(of: left.text) { one in
      SpanAccess.withBytes(of: right.text) { other in
        if one.count != other.count { return false }
        var offset = 0
        while offset < one.count {
          let count = one.count - offset
          if ByteWords.load(one, at: offset, count: count) != ByteWords.load(other, at: offset, count: count)
          {
            return false
          }
          offset += 8
        }
        return true
      }
    }
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(SpanAccess.withBytes(of: text) { ByteWords.hash($0) })
  }
}

/// Finds the pairs of patterns that share at least one URL, without comparing all pairs.
///
/// Two branches are walked in parallel as long as one URL can be under both: a literal pairs with the same
/// literal and with the kinds it belongs to, a kind with the kinds that include it or that it includes, a
/// tail with every longer path. Pairs without a common URL are skipped. Every other pair is found, because
/// the segments of such a pair correspond one by one.
struct PatternMeetings {
  private let tree: PatternTree
  private let found: (Int, Int) -> Void

  /// Calls `found` with the numbers of each pair, the lower one first.
  ///
  /// A pair may be reported twice if both patterns have paths of two lengths.
  static func visit(_ tree: PatternTree, _ found: (Int, Int) -> Void) {
    withoutActuallyEscaping(found) { found in
      let meetings = PatternMeetings(tree: tree, found: found)
      meetings.within(0)
    }
  }

  private func meet(_ one: [Int], _ other: [Int]) {
    for left in one {
      for right in other where left != right { found(min(left, right), max(left, right)) }
    }
  }

  private func meetEachOther(_ all: [Int]) {
    if all.count < 2 { return }
    for (index, left) in all.enumerated() {
      for right in all[(index + 1)...] where left != right { found(min(left, right), max(left, right)) }
    }
  }

  /// Finds the pairs within one branch.
  private func within(_ index: Int) {
    let branch = tree.branches[index]
    meetEachOther(branch.exact)
    meetEachOther(branch.tails)
    let kinds = branch.kinds
    for child in branch.literals.values { within(child) }
    for kind in kinds { within(kind.child) }
    literals(of: branch, with: kinds)
    for (position, one) in kinds.enumerated() {
      for other in kinds[(position + 1)...] where one.kind.meets(other.kind) {
        between(one.child, other.child)
      }
    }
    if !branch.tails.isEmpty { meetAll(branch.tails, under: branch) }
  }

  /// Finds the pairs of one pattern from each of two branches that share a URL prefix.
  private func between(_ left: Int, _ right: Int) {
    let one = tree.branches[left]
    let other = tree.branches[right]
    meet(one.exact, other.exact)
    let (few, many) =
      one.literals.count <= other.literals.count
      ? (one.literals, other.literals) : (other.literals, one.literals)
    for (text, child) in few {
      if let same = many[text] { between(child, same) }
    }
    let kinds = one.kinds
    let others = other.kinds
    literals(of: one, with: others)
    literals(of: other, with: kinds)
    for kind in kinds {
      for other in others where kind.kind.meets(other.kind) { between(kind.child, other.child) }
    }
    meet(one.tails, other.tails)
    if !one.tails.isEmpty { meetAll(one.tails, under: other) }
    if !other.tails.isEmpty { meetAll(other.tails, under: one) }
  }

  private func literals(
    of branch: PatternTree.Branch, with kinds: [(kind: RoutePattern.ValueKind, child: Int)]
  ) {
    if kinds.isEmpty { return }
    for (literal, child) in branch.literals {
      for (kind, place) in kinds where kind.matches(literal.text) { between(child, place) }
    }
  }

  /// Finds the pairs of tails with all patterns that extend a branch by at least one segment.
  private func meetAll(_ tails: [Int], under branch: PatternTree.Branch) {
    var open = children(of: branch)
    while let index = open.popLast() {
      let next = tree.branches[index]
      meet(tails, next.exact)
      meet(tails, next.tails)
      open += children(of: next)
    }
  }

  private func children(of branch: PatternTree.Branch) -> [Int] {
    branch.literals.values + branch.kinds.map(\.child)
  }
}
