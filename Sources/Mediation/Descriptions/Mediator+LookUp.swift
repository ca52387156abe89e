extension Mediator {
  /// The result of a look-up: the route that a URL leads to, without any of its values.
  public struct LookUp: Sendable {
    let registered: RegisteredRoute
    let form: Int
    /// The number of path segments that are captured.
    package let captures: Int
    /// The total length of the captured segments in bytes, as encoded in the URL.
    package let capturedBytes: Int
    /// The number of visited nodes of the table; each node is visited at most once.
    package let visits: Int

    /// The pattern that the URL matched: the route's own, or one of its aliases.
    public var pattern: RoutePattern { registered.declaration.patterns[form] }

    /// The description of the route, as in ``Mediator/routes``; created at each access.
    public var route: RouteDescription { RouteDescription(registered) }
  }
}

extension Mediator.LookUp: Hashable {
  /// Whether two look-ups found the same pattern of the same route, with captures of the same size.
  public static func == (left: Mediator.LookUp, right: Mediator.LookUp) -> Bool {
    left.registered === right.registered && left.form == right.form && left.captures == right.captures
      && left.capturedBytes == right.capturedBytes && left.visits == right.visits
  }

  /// Hashes the identity of the route and the sizes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(registered))
    hasher.combine(form)
    hasher.combine(captures)
    hasher.combine(capturedBytes)
    hasher.combine(visits)
  }
}
