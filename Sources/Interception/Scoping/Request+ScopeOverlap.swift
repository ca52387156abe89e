extension Request.Scope {
  /// Returns whether the scopes certainly have requests in common, because they name the same service, API or
  /// authority.
  ///
  /// Scopes of different kinds and predicates may overlap, too, which only the requests show.
  func certainlyOverlaps(_ other: Request.Scope) -> Bool {
    rule.members.contains { member in other.rule.members.contains { $0.certainlyOverlaps(member) } }
  }
}

extension Request.Scope.Rule {
  /// The rules that a union consists of.
  fileprivate var members: [Self] {
    if case .union(let left, let right) = self { left.members + right.members } else { [self] }
  }

  fileprivate func certainlyOverlaps(_ other: Self) -> Bool {
    switch (self, other) {
    case (.service(let name), .service(let otherName)): name == otherName
    case (.service(let name), .api(let api)), (.api(let api), .service(let name)): api.service == name
    case (.api(let api), .api(let otherAPI)): api == otherAPI
    case (.authority(let rule), .authority(let otherRule)): rule == otherRule
    default: false
    }
  }
}
