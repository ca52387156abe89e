import ListingsRoutes

/// Remembers the page opened last, from which the next one follows.
@MainActor final class Browsing {
  private var last: (route: ListingsRoute, pages: Int)?

  nonisolated init() {}

  func note(_ route: ListingsRoute, of list: HomeList) { last = (route, list.pages) }

  /// The route to the page after the one opened last.
  func next() throws(BrowsingFault) -> ListingsRoute {
    guard let last else { throw .nothingShown }
    guard last.route.page < last.pages else { throw .lastPage(last.pages) }
    var route = last.route
    route.page += 1
    return route
  }
}
