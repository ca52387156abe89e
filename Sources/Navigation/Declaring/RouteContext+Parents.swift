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
    let parents = try ParentChain(of: route) { try mediator.url(for: $0) }.parents
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
  fileprivate func revealLast(of urls: [String]) throws(NavigationError) -> Int? {
    let entries = state.entries
    for (index, url) in urls.enumerated().reversed() {
      // The address of a screen may differ from the URL that opened it.
      guard let entry = entries.last(where: { $0.name == url || $0.url == url }) else { continue }
      try perform(.reveal(entry.id))
      return index
    }
    return nil
  }
}
