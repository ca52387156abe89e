/// The routes or pages that the rules of a table finally lead to.
struct RedirectTargets {
  /// The final destination of a rule.
  enum End {
    case route(Int)
    case web
    case nothing
    case circle
  }

  private let review: RedirectReview
  private let isWebOpen: Bool
  /// For each rule, the pattern of a route that matches all URLs of its target.
  private let forms: [RouteForm?]
  /// For each rule, the rules that apply to some URLs of its target.
  private let edges: [[Int]]
  /// For each rule, the next rule, which applies to all URLs of its target.
  private var nexts: [Int?] = []

  init(_ review: RedirectReview, isWebOpen: Bool) {
    self.review = review
    self.isWebOpen = isWebOpen
    // Equal rules are faults already; only the first of them is considered.
    let rules = Dictionary(grouping: review.drafts.indices.filter { !review.drafts[$0].isDuplicate }) {
      RedirectReview.bucket(review.drafts[$0].from)
    }
    let forms = review.drafts.map { $0.target.flatMap(review.form(covering:)) }
    self.forms = forms
    edges = review.drafts.enumerated().map { position, draft in
      guard let target = draft.target else { return [] }
      return (rules[RedirectReview.bucket(target)] ?? []).filter { next in
        let other = review.drafts[next]
        if let form = forms[position], other.exceptions.contains(form) { return false }
        return target.relation(to: other.from) != .disjoint
      }
    }
    nexts = review.drafts.indices.map(next)
  }

  /// Returns the final destination of all URLs of a rule's target.
  func end(of position: Int) -> End {
    var position = position
    for _ in 0...Mediator.hopLimit {
      guard let target = review.drafts[position].target else { return .nothing }
      if let next = nexts[position] {
        position = next
        continue
      }
      if let form = forms[position] { return .route(form.route) }
      return target.scheme == "https" && isWebOpen ? .web : .nothing
    }
    return .circle
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
  func circles() -> [(Int, RedirectFault.Reason)] {
    var walk = Walk(edges: edges)
    for position in review.drafts.indices { walk.visit(position) }
    return walk.circles.map { circle in
      (review.drafts[circle[0]].index, .loop(circle.map { review.drafts[$0].index }))
    }
      + review.drafts.indices.filter { walk.circles.isEmpty && walk.lengths[$0] > Mediator.hopLimit }.map {
        (review.drafts[$0].index, .tooManyHops(limit: Mediator.hopLimit))
      }
  }

  /// A depth-first walk along the rules, iterative because the server's table determines its depth.
  private struct Walk {
    /// The maximum number of reported loops; a table can have more than fit in memory.
    private static let circleLimit = 16

    let edges: [[Int]]
    /// For each rule, the number of redirects on its longest path; 0 while unknown.
    private(set) var lengths: [Int]
    private(set) var circles: [[Int]] = []
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
            if circles.count < Self.circleLimit, let first = path.firstIndex(of: next) {
              circles.append(Array(path[first...]) + [next])
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
