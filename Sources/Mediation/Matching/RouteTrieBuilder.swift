/// Grows the tree of patterns, then freezes it.
struct RouteTrieBuilder {
  private struct Branch {
    var literals: [[UInt8]: Int] = [:]
    var kinds: [ValueKind: Int] = [:]
    var exact: [RouteTrie.Entry] = []
    var tails: [RouteTrie.Entry] = []
  }

  private var branches = [Branch()]

  mutating func insert(_ pattern: RoutePattern, route: Int, priority: Int, isContested: Bool) {
    let entry = RouteTrie.Entry(
      route: route, requiredKeys: pattern.requiredKeys.sorted(), priority: priority, isContested: isContested)
    var branch = literal(pattern.scheme, under: 0)
    for segment in pattern.segments {
      switch segment {
      case .literal(let text): branch = literal(text, under: branch)
      case .value(_, let kind): branch = self.kind(kind, under: branch)
      case .rest:
        branches[branch].tails.append(entry)
        return
      }
    }
    branches[branch].exact.append(entry)
  }

  func freeze() -> RouteTrie {
    var nodes: [RouteTrie.Node] = []
    var edges: [RouteTrie.Edge] = []
    var labels: [UInt8] = []
    var entries: [RouteTrie.Entry] = []
    for branch in branches {
      var node = RouteTrie.Node()
      let firstEdge = edges.count
      for (text, child) in branch.literals.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
        edges.append(.init(label: labels.count..<labels.count + text.count, child: child))
        labels += text
      }
      node.edges = firstEdge..<edges.count
      for (position, kind) in ValueKind.allCases.enumerated() {
        if let child = branch.kinds[kind] { node.kinds[position] = Int32(child) }
      }
      node.exact = append(branch.exact, to: &entries)
      node.tails = append(branch.tails, to: &entries)
      nodes.append(node)
    }
    return RouteTrie(nodes: nodes, edges: edges, labels: labels, entries: entries)
  }

  /// Whoever requires more query fields is the more specific and comes first.
  private func append(_ more: [RouteTrie.Entry], to entries: inout [RouteTrie.Entry]) -> Range<Int> {
    let first = entries.count
    entries += more.sorted { $0.requiredKeys.count > $1.requiredKeys.count }
    return first..<entries.count
  }

  private mutating func literal(_ text: String, under branch: Int) -> Int {
    let key = Array(text.utf8)
    if let child = branches[branch].literals[key] { return child }
    branches.append(Branch())
    branches[branch].literals[key] = branches.count - 1
    return branches.count - 1
  }

  private mutating func kind(_ kind: ValueKind, under branch: Int) -> Int {
    if let child = branches[branch].kinds[kind] { return child }
    branches.append(Branch())
    branches[branch].kinds[kind] = branches.count - 1
    return branches.count - 1
  }
}
