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
