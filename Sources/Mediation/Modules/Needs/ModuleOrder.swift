/// The launch order of modules: each module follows those it needs.
struct ModuleOrder: Sendable, Hashable {
  /// A need of one module for another; modules are identified by their positions in the app's list.
  struct Edge: Sendable, Hashable {
    let needing: Int
    let needed: Int
    /// The need as a phrase.
    let what: String
  }

  /// The positions in the app's list in launch order; among modules that are ready, list order decides.
  let order: [Int]
  /// The cycles of needs, each as its edges.
  let cycles: [[Edge]]

  init(count: Int, edges: [Edge]) {
    var order: [Int] = []
    var cycles: [[Edge]] = []
    var remaining = Set(0..<count)
    var needs: [Int: [Edge]] = [:]
    for edge in edges where edge.needing != edge.needed { needs[edge.needing, default: []].append(edge) }
    while let first = remaining.min() {
      func isBlocked(_ index: Int) -> Bool {
        needs[index, default: []].contains { remaining.contains($0.needed) }
      }
      if let next = remaining.sorted().first(where: { !isBlocked($0) }) {
        order.append(next)
        remaining.remove(next)
        continue
      }
      // Every remaining module needs another remaining one, so following needs leads into a cycle.
      var trail: [Edge] = []
      var current = first
      while !trail.contains(where: { $0.needing == current }),
        let edge = needs[current, default: []].first(where: { remaining.contains($0.needed) })
      {
        trail.append(edge)
        current = edge.needed
      }
      let cycle = Array(trail.drop { $0.needing != current })
      cycles.append(cycle)
      remaining.subtract(cycle.map(\.needing))
    }
    self.order = order
    self.cycles = cycles
  }
}
