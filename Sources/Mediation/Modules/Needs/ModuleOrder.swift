/// The order in which modules are launched: each after those it needs.
struct ModuleOrder: Sendable, Hashable {
  /// A module that needs another one, by their places in the app's list.
  struct Edge: Sendable, Hashable {
    let needing: Int
    let needed: Int
    /// What of.
    let what: String
  }

  /// The places in the app's list in launching order; of two that may both come, the one listed first.
  let order: [Int]
  /// The needs that close circles, each circle as its edges.
  let circles: [[Edge]]

  init(count: Int, edges: [Edge]) {
    var order: [Int] = []
    var circles: [[Edge]] = []
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
      // Every module that remains needs another that does, so following needs comes back somewhere.
      var trail: [Edge] = []
      var current = first
      while !trail.contains(where: { $0.needing == current }),
        let edge = needs[current, default: []].first(where: { remaining.contains($0.needed) })
      {
        trail.append(edge)
        current = edge.needed
      }
      let circle = Array(trail.drop { $0.needing != current })
      circles.append(circle)
      remaining.subtract(circle.map(\.needing))
    }
    self.order = order
    self.circles = circles
  }
}
