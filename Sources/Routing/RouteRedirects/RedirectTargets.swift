import Mediation

/// The routes or pages that the rules of a table finally lead to.
struct RedirectTargets {
  /// The final destination of a rule.
  enum Destination {
    case route(RedirectableRoutes.Entry)
    case web
    case nothing
    case loop
  }

  private let review: RedirectReview
  private let opensWebPages: Bool
  /// For each rule, the pattern of a route that matches all URLs of its target.
  private let entries: [RedirectableRoutes.Entry?]
  /// For each rule, the rules that apply to some URLs of its target.
  private let edges: [[Int]]
  /// For each rule, the next rule, which applies to all URLs of its target.
  private var nexts: [Int?] = []

  init(_ review: RedirectReview, opensWebPages: Bool) {
    self.review = review
    self.opensWebPages = opensWebPages
    // Equal rules are faults already; only the first of them is considered.
    let rules = Dictionary(grouping: review.drafts.indices.filter { !review.drafts[$0].isDuplicate }) {
      RedirectReview.bucket(review.drafts[$0].from)
    }
    let entries = review.drafts.map { $0.target.flatMap(review.entry(covering:)) }
    self.entries = entries
    edges = review.drafts.enumerated().map { position, draft in
      guard let target = draft.target else { return [] }
      return (rules[RedirectReview.bucket(target)] ?? []).filter { next in
        let other = review.drafts[next]
        if let entry = entries[position], other.exceptions.contains(entry.pattern) { return false }
        return target.relation(to: other.from) != .disjoint
      }
    }
    nexts = review.drafts.indices.map(next)
  }

  /// Returns the final destination of all URLs of a rule's target.
  func destination(of position: Int) -> Destination {
    var position = position
    for _ in 0...Mediator.maximumRedirects {
      guard let target = review.drafts[position].target else { return .nothing }
      if let next = nexts[position] {
        position = next
        continue
      }
      if let entry = entries[position] { return .route(entry) }
      return target.scheme == "https" && opensWebPages ? .web : .nothing
    }
    return .loop
  }

  /// Returns the pattern that all URLs of a rule's target match next: that of another rule, or else of a
  /// route.
  func pattern(after position: Int) -> RoutePattern? {
    nexts[position].map { review.drafts[$0].from } ?? entries[position]?.pattern
  }

  private func next(_ position: Int) -> Int? {
    guard let target = review.drafts[position].target else { return nil }
    var best: Int?
    for candidate in edges[position] {
      let pattern = review.drafts[candidate].from
      let relation = target.relation(to: pattern)
      guard relation == .same || relation == .narrower else { continue }
      if let best, pattern.relation(to: review.drafts[best].from) != .narrower { continue }
      best = candidate
    }
    return best
  }

  /// Returns the rules that may form a loop or exceed the maximum number of redirects, with their faults.
  ///
  /// A rule may lead to another one if a URL of its target matches it, so a reported loop may be one that no
  /// URL completes. It is a fault nonetheless, because rules that lead to routes do not need it.
  func loops() -> [(Int, RedirectFault.Reason)] {
    var walk = Walk(edges: edges)
    for position in review.drafts.indices { walk.visit(position) }
    return walk.loops.map { loop in
      (review.drafts[loop[0]].index, .loop(loop.map { review.drafts[$0].index }))
    }
      + review.drafts.indices.filter { walk.loops.isEmpty && walk.lengths[$0] > Mediator.maximumRedirects }
      .map {
        (review.drafts[$0].index, .tooManyHops(limit: Mediator.maximumRedirects))
      }
  }

  /// A depth-first walk along the rules, iterative because the server's table determines its depth.
  private struct Walk {
    /// The maximum number of reported loops; a table can have more than fit in memory.
    private static let loopLimit = 16

    let edges: [[Int]]
    /// For each rule, the number of redirects on its longest path; 0 while unknown.
    private(set) var lengths: [Int]
    private(set) var loops: [[Int]] = []
    private var isDone: [Bool]

    init(edges: [[Int]]) {
      self.edges = edges
      lengths = Array(repeating: 0, count: edges.count)
      isDone = Array(repeating: false, count: edges.count)
    }

    mutating func visit(_ start: Int) {
      if isDone[start] { return }
      var path = [start]
      var cursors = [0]
      var isOnPath: Set<Int> = [start]
      while let current = path.last {
        let cursor = cursors[cursors.count - 1]
        if cursor < edges[current].count {
          cursors[cursors.count - 1] += 1
          let next = edges[current][cursor]
          if isOnPath.contains(next) {
            if loops.count < Self.loopLimit, let first = path.firstIndex(of: next) {
              loops.append(Array(path[first...]) + [next])
            }
          } else if !isDone[next] {
            path.append(next)
            cursors.append(0)
            isOnPath.insert(next)
          }
        } else {
          lengths[current] = 1 + (edges[current].map { lengths[$0] }.max() ?? 0)
          isDone[current] = true
          isOnPath.remove(current)
          path.removeLast()
          cursors.removeLast()
        }
      }
    }
  }
}
