public import APIManagers
import ListingsRoutes
public import Mediation
import Navigation
import TerminalScreens

/// Lists homes by kind, filtered and page by page.
public struct ListingsModule: BusinessModule {
  /// The module's name.
  public let name = "Listings"
  private let client: APIClient

  /// Creates the module.
  public init(client: APIClient) { self.client = client }

  /// Declares the lists, their next page and search, the list that grows page by page, the overview, and what
  /// the module does when the app is hidden, memory is low or the user logs out.
  public func declare(into table: inout RouteTable) {
    let browsing = Browsing()
    table.screen(ListingsRoute.self, style: .tab("homes")) { [client] route, _ in
      let screen = ListingsScreen(route, client: client)
      try await screen.load()
      browsing.note(screen)
      return screen
    }
    // An older URL of the list of houses.
    table.alias("estate://houses", for: ListingsRoute.self) { _ in ListingsRoute(kind: .house) }
    table.action(NextListingsRoute.self) { _, _ in try await browsing.list.showNextPage() }
    table.action(SearchListingsRoute.self) { route, _ in try await browsing.list.type(route.city) }
    table.screen(BrowseRoute.self, style: .tab("homes")) { [client] route, _ in
      let screen = BrowseScreen(route, client: client)
      try await screen.load()
      browsing.note(screen)
      return screen
    }
    table.action(MoreHomesRoute.self) { _, _ in try await browsing.pagedList.showMore() }
    table.action(RefreshHomesRoute.self) { _, _ in try await browsing.pagedList.refresh() }
    table.action(FilterHomesRoute.self) { route, _ in
      try await browsing.pagedList.filter(city: route.city, beds: route.beds)
    }
    // Where a search begins, so nothing stays below it.
    table.screen(OverviewRoute.self, style: .root) { [client] route, _ in
      let screen = try OverviewScreen(city: route.city, client: client)
      await screen.load()
      return screen
    }
    // What can be loaded again is released, and nothing is loaded while the app is not visible.
    table.on(.memoryWarning) { _, _ in await browsing.releaseRawData() }
    table.on(.background) { _, _ in await browsing.stopReconnecting() }
    table.on(.logout) { _, _ in await browsing.releaseRawData() }
  }
}
