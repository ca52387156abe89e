import ListingsRoutes

/// Remembers which page was looked at last, so that there is a next one.
@MainActor final class Browsing {
  private var last: (route: ListingsRoute, pages: Int)?

  nonisolated init() {}

  func note(_ route: ListingsRoute, of list: HomeList) { last = (route, list.pages) }

  /// The route to the page after the last one.
  func next() throws(BrowsingFault) -> ListingsRoute {
    guard let last else { throw .nothingShown }
    guard last.route.page < last.pages else { throw .lastPage(last.pages) }
    var route = last.route
    route.page += 1
    return route
  }
}
