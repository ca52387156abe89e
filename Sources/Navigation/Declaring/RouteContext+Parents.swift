import Mediation

extension RouteContext {
  /// Shows the parents of a route that a link opened, so that the user can go back from its screen.
  ///
  /// If some of them are shown already, the highest of those is revealed, and only the ones above it are
  /// opened. A parent that a guard refuses is left out.
  ///
  /// - Throws: The error of a parent that cannot be opened for another reason; the route's own screen must
  ///   not be shown then.
  @MainActor func showParents(of route: some Route) async throws {
    switch origin {
    // The user comes from a screen of the app, to which the way back leads.
    case .native, .external(.web): return
    case .external: break
    }
    // A restored navigation has its own entries for the parents.
    guard let navigator = self[NavigatorKey.self], PendingScreens.of(navigator) == nil else { return }
    if route.parents.isEmpty { return }
    let parents = try ParentChain(of: route) { try Mediator.url(of: $0) }.parents
    // Before anything is shown, so that a mistake in the code of the app leaves no half of a stack.
    for parent in parents where mediator.routeNeeds(NavigatorKey.self, url: parent.url) != true {
      throw NavigationError.parentWithoutScreen(parent.name, of: String(describing: type(of: route)))
    }
    let shown = try navigator.revealLast(of: parents.map(\.url))
    for parent in parents.dropFirst(shown.map { $0 + 1 } ?? 0) {
      do throws(RouteError) {
        try await open(parent.url)
      } catch {
        switch error {
        case .rejected, .overdue: continue
        default: throw error
        }
      }
    }
  }
}

extension Navigator {
  /// Reveals the entry of the last URL that has one, and returns the URL's index.
  fileprivate func revealLast(of urls: [RouteURL]) throws(NavigationError) -> Int? {
    let entries = state.entries
    for (index, url) in urls.enumerated().reversed() {
      // The address of a screen may differ from the URL that opened it.
      guard let entry = entries.last(where: { $0.name == url.text || $0.url == url.text }) else { continue }
      try perform(.reveal(entry.id))
      return index
    }
    return nil
  }
}

/// The screens below a route's own screen: its parents, the parents of those, and so on.
struct ParentChain {
  /// The maximum number of screens below one screen.
  static let limit = 16

  /// A parent, by its URL.
  struct Parent: Sendable, Hashable {
    let url: RouteURL
    /// The name of the route's type.
    let name: String

    init(_ route: some Route, _ url: RouteURL) {
      self.url = url
      name = ParentChain.name(of: route)
    }
  }

  /// The parents, the lowest first, each once.
  private(set) var parents: [Parent] = []

  /// Collects the parents of a route.
  ///
  /// - Parameter url: Returns the URL of a route.
  /// - Throws: The error of a URL; `NavigationError.parentCycle` or `.tooManyParents`, because parents are
  ///   values that code computes and so have no natural end.
  init(of route: some Route, _ url: (any Route) throws -> RouteURL) throws {
    if route.parents.isEmpty { return }
    // A route that only an alias can name has no URL of its own; the limit then ends a cycle.
    try collect(route, [(try? url(route), Self.name(of: route))], url)
  }

  private static func name(of route: some Route) -> String { String(describing: type(of: route)) }

  /// Adds the parents of the last route of a trail, which leads from the shown route to one of its parents.
  private mutating func collect(
    _ route: some Route, _ trail: [(url: RouteURL?, name: String)],
    _ url: (any Route) throws -> RouteURL
  ) throws {
    for next in route.parents {
      let parent = Parent(next, try url(next))
      let names = trail.map(\.name) + [parent.name]
      if trail.contains(where: { $0.url == parent.url }) { throw NavigationError.parentCycle(names) }
      if parents.contains(where: { $0.url == parent.url }) { continue }
      // The trail begins with the route itself.
      if max(trail.count, parents.count + 1) > Self.limit {
        throw NavigationError.tooManyParents(names, limit: Self.limit)
      }
      try collect(next, trail + [(parent.url, parent.name)], url)
      parents.append(parent)
    }
  }
}
