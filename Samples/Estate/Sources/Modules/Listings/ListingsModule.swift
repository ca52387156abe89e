public import APIManagers
import ListingsRoutes
public import Mediation
import Navigation
import TerminalScreens

/// Lists homes by kind, filtered and page by page.
public struct ListingsModule: BusinessModule {
  /// The module's name.
  public let name = "Listings"
  private let host: HostApp

  /// Creates the module.
  public init(host: HostApp) { self.host = host }

  /// Declares the list and its next page.
  public func declare(into table: inout RouteTable) {
    let browsing = Browsing()
    table.screen(ListingsRoute.self) { [host] route, _ in
      let list = try await HomeLists(host: host).list(for: route)
      browsing.note(route, of: list)
      return ListingsScreen(route: route, list: list)
    }
    table.action(NextListingsRoute.self) { _, context in
      try await context.call(try await browsing.next())
    }
  }
}
