import Mediation

/// The screens below a route's own screen: its parents, the parents of those, and so on.
struct ParentChain {
  /// The maximum number of screens below one screen.
  static let limit = 16

  /// A parent, by its URL.
  struct Parent: Sendable, Hashable {
    let url: String
    /// The name of the route's type.
    let name: String

    init(_ route: some Route, _ url: String) {
      self.url = url
      name = String(describing: type(of: route))
    }
  }

  /// The parents, the lowest first, each once.
  private(set) var parents: [Parent] = []

  /// Collects the parents of a route.
  ///
  /// - Parameter url: Returns the URL of a route.
  /// - Throws: The error of a URL; `NavigationError.parentCycle` or `.tooManyParents`, because parents are
  ///   values that code computes and so have no natural end.
  init(of route: some Route, _ url: (any Route) throws -> String) throws {
    // A route that only an alias can name has no URL of its own; the limit then ends a cycle.
    try collect(route, [Parent(route, (try? url(route)) ?? "")], url)
  }

  /// Adds the parents of the last route of a trail, which leads from the shown route to one of its parents.
  private mutating func collect(
    _ route: some Route, _ trail: [Parent], _ url: (any Route) throws -> String
  ) throws {
    for next in route.parents {
      let parent = Parent(next, try url(next))
      let names = (trail + [parent]).map(\.name)
      if trail.contains(where: { $0.url == parent.url }) { throw NavigationError.parentCycle(names) }
      if parents.contains(where: { $0.url == parent.url }) { continue }
      // The trail begins with the route itself.
      if max(trail.count, parents.count + 1) > Self.limit {
        throw NavigationError.tooManyParents(names, limit: Self.limit)
      }
      try collect(next, trail + [parent], url)
      parents.append(parent)
    }
  }
}
