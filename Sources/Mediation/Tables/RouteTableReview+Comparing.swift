extension RouteTableReview {
  /// Finds every pair of conflicting patterns, and the pairs that priorities decide.
  ///
  /// Only pairs that share at least one URL are compared.
  mutating func compareRoutes() {
    var places: [ObjectIdentifier: RouteTable.Place] = [:]
    places.reserveCapacity(routes.count)
    var found: [Found] = []
    for (index, route) in routes.enumerated() {
      if let first = places[route.type] {
        found.append(.init(later: forms.count, earlier: -1, fault: .redeclared(first, route.place)))
        continue
      }
      places[route.type] = route.place
      for (form, pattern) in route.patterns.enumerated() where pattern.fault == nil {
        tree.insert(pattern, as: forms.count)
        forms.append(Form(route: index, form: form, pattern: pattern))
      }
    }
    var contested: Set<Int> = []
    PatternMeetings.visit(tree) { earlier, later in
      switch compare(earlier, later) {
      case .fault(let fault): found.append(.init(later: later, earlier: earlier, fault: fault))
      case .contested(let number): contested.insert(number)
      case nil: return
      }
    }
    self.contested = contested
    found.sort { ($0.later, $0.earlier) < ($1.later, $1.earlier) }
    for (index, one) in found.enumerated() {
      // A pair with paths of two lengths may have been found twice.
      if index > 0, one.earlier >= 0,
        (found[index - 1].later, found[index - 1].earlier) == (one.later, one.earlier)
      {
        continue
      }
      faults.append(one.fault)
    }
  }

  /// A fault and the numbers of its two forms, by which the report is sorted.
  private struct Found {
    let later: Int
    let earlier: Int
    let fault: RouteTableIssue.Fault
  }

  /// The result of comparing two forms.
  private enum Verdict {
    case fault(RouteTableIssue.Fault)
    /// The priorities decide; this form loses URLs to the other.
    case contested(Int)
  }

  private func compare(_ first: Int, _ second: Int) -> Verdict? {
    let (left, right) = (forms[first].pattern, forms[second].pattern)
    let (one, two) = (routes[forms[first].route], routes[forms[second].route])
    switch left.relation(to: right) {
    case .same:
      return .fault(.duplicate(place(first), place(second), sampleURL: left.sampleURL(with: right)))
    case .overlapping where one.priority == two.priority:
      return .fault(.overlap(place(first), place(second), sampleURL: left.sampleURL(with: right)))
    case .overlapping:
      return .contested(one.priority < two.priority ? first : second)
    case .narrower where two.priority > one.priority:
      return .fault(.unreachable(place(first), by: place(second), sampleURL: left.sampleURL(with: right)))
    case .wider where one.priority > two.priority:
      return .fault(.unreachable(place(second), by: place(first), sampleURL: left.sampleURL(with: right)))
    default: return nil
    }
  }

  /// Returns the place of a form's route, with the form's pattern.
  private func place(_ form: Int) -> RouteTable.Place {
    routes[forms[form].route].place(of: forms[form].pattern)
  }
}
