package import APIManagers
package import AccountRoutes
import ListingsRoutes
package import Mediation
import Navigation

/// Lists homes by kind, filtered and page by page.
package struct ListingsModule: BusinessModule {
  package let name = "Listings"
  private let client: APIClient
  private let marks: (any FavouriteMarking)?

  /// Creates the module.
  ///
  /// - Parameter marks: Knows which homes the user has marked.
  package init(client: APIClient, marks: (any FavouriteMarking)? = nil) {
    self.client = client
    self.marks = marks
  }

  /// Declares the lists, their next page and search, the list that grows page by page, the overview, and what
  /// the module does when the app is hidden, memory is low or the user logs out.
  package func declare(into table: inout RouteTable) {
    let browsing = Browsing()
    table.screen(ListingsRoute.self, style: .tab("homes")) { [client, marks] route, _ in
      let screen = ListingsScreen(HomeListing(route, client: client), marks: marks)
      try await screen.listing.load()
      browsing.note(screen)
      return screen
    }
    // An older URL of the list of houses.
    table.alias("estate://houses", for: ListingsRoute.self) { _ in ListingsRoute(kind: .house) }
    table.action(NextListingsRoute.self) { _, _ in try await browsing.listing.showNextPage() }
    table.action(SearchListingsRoute.self) { route, _ in try await browsing.listing.type(route.city) }
    table.screen(BrowseRoute.self, style: .tab("homes")) { [client, marks] route, _ in
      let screen = BrowseScreen(route, client: client, marks: marks)
      try await screen.load()
      browsing.note(screen)
      return screen
    }
    table.action(MoreHomesRoute.self) { _, _ in try await browsing.pagedList.showMore() }
    table.action(RefreshHomesRoute.self) { _, _ in try await browsing.pagedList.refresh() }
    table.action(FilterHomesRoute.self) { route, _ in
      try await browsing.pagedList.filter(route)
    }
    // Where a search begins, so nothing stays below it.
    table.screen(OverviewRoute.self, style: .root) { [client, marks] route, _ in
      let screen = OverviewScreen(city: route.city, client: try client.atLowPriority, marks: marks)
      await screen.load()
      return screen
    }
    // What can be loaded again is released, and nothing is loaded while the app is not visible.
    table.on(.memoryWarning) { _, _ in await browsing.releaseRawData() }
    table.on(.background) { _, _ in await browsing.stopReconnecting() }
    table.on(.logout) { _, _ in await browsing.releaseRawData() }
  }
}
