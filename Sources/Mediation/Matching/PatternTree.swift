/// A mutable tree of patterns with one level per segment; the first level is the scheme and the host.
struct PatternTree {
  /// The patterns with a common beginning.
  struct Branch {
    var literals: [LiteralText: Int] = [:]
    /// The child of each kind in the order of `ValueKind.allCases`; -1 for none.
    var kinds: InlineArray<5, Int> = .init(repeating: -1)
    var hasKinds = false
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

  private mutating func kind(_ kind: ValueKind, under branch: Int) -> Int {
    let place = kind.rank
    if branches[branch].kinds[place] < 0 {
      branches[branch].kinds[place] = branches.count
      branches[branch].hasKinds = true
      branches.append(Branch())
    }
    return branches[branch].kinds[place]
  }
}
