/// All patterns as one frozen tree in flat arrays, matched by bytes.
///
/// Each level is one label of a URL: scheme, host, then the path's segments. At a node literals are tried first, then the
/// kinds from narrow to wide, then a tail; so of several patterns that match, the first found is the most specific.
/// A capture is the place of a placeholder in the pattern that matched, hence nothing of an abandoned branch can
/// remain in it. A look-up visits each node at most once: linear in the URL for usual tables, in the nodes at worst.
struct RouteTrie: Sendable {
  /// What a look-up overlooks, to find out why a URL matches nothing.
  struct Leniency: OptionSet {
    let rawValue: Int
    static let missingFields = Leniency(rawValue: 1)
    static let kinds = Leniency(rawValue: 2)
  }

  /// One pattern that ends at a node.
  struct Entry: Sendable {
    let route: Int
    let requiredKeys: [String]
    let priority: Int
    /// Whether a pattern elsewhere in the tree may match the same URL with a higher priority.
    let isContested: Bool
  }

  struct Node: Sendable {
    var edges: Range<Int> = 0..<0
    /// The child of each kind in the order of `ValueKind.allCases`, or -1.
    var kinds: InlineArray<5, Int32> = .init(repeating: -1)
    var exact: Range<Int> = 0..<0
    var tails: Range<Int> = 0..<0
  }

  struct Edge: Sendable {
    let label: Range<Int>
    let child: Int
  }

  let nodes: [Node]
  let edges: [Edge]
  let labels: [UInt8]
  let entries: [Entry]

  /// The route whose pattern matches, or nil; only routes that `accepts` count.
  func match(_ url: RouteURL, leniency: Leniency = [], where accepts: (Int) -> Bool = { _ in true }) -> Int? {
    // A port that is not the scheme's own is another server.
    guard url.port == nil else { return nil }
    var best: Entry?
    visit(0, url, 0, leniency) { entry in
      guard accepts(entry.route) else { return false }
      if let found = best, found.priority >= entry.priority { return false }
      best = entry
      return !entry.isContested
    }
    return best?.route
  }

  /// Walks on from a node; true if the visitor wants no more.
  @discardableResult
  private func visit(
    _ index: Int, _ url: RouteURL, _ depth: Int, _ leniency: Leniency, _ found: (Entry) -> Bool
  ) -> Bool {
    let node = nodes[index]
    if depth == url.labels.count { return offer(node.exact, url, leniency, found) }
    let label = url.labelBytes(depth)
    if let child = child(of: node, label), visit(child, url, depth + 1, leniency, found) { return true }
    for (position, kind) in ValueKind.allCases.enumerated() {
      let child = Int(node.kinds[position])
      guard child >= 0, leniency.contains(.kinds) || kind.matches(label) else { continue }
      if visit(child, url, depth + 1, leniency, found) { return true }
    }
    return offer(node.tails, url, leniency, found)
  }

  private func offer(
    _ range: Range<Int>, _ url: RouteURL, _ leniency: Leniency, _ found: (Entry) -> Bool
  ) -> Bool {
    for entry in entries[range] {
      guard leniency.contains(.missingFields) || entry.requiredKeys.allSatisfy(url.hasField(named:)) else {
        continue
      }
      if found(entry) { return true }
    }
    return false
  }

  private func child(of node: Node, _ label: ArraySlice<UInt8>) -> Int? {
    var low = node.edges.lowerBound
    var high = node.edges.upperBound
    while low < high {
      let middle = (low + high) / 2
      let edge = labels[edges[middle].label]
      if edge.elementsEqual(label) { return edges[middle].child }
      if edge.lexicographicallyPrecedes(label) { low = middle + 1 } else { high = middle }
    }
    return nil
  }
}
