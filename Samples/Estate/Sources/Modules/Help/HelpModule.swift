public import APIManagers
import HelpRoutes
public import Mediation
import Navigation

/// Shows web pages for URLs that no other module answers.
public struct HelpModule: BusinessModule {
  /// The module's name.
  public let name = "Help"
  private let client: APIClient

  /// Creates the module.
  public init(client: APIClient) { self.client = client }

  /// Declares the web page's screen, and the help page for all URLs of the app below `estate://help`.
  public func declare(into table: inout RouteTable) {
    table.screen(WebPageRoute.self) { [client] route, _, _ in
      let page = try await Pages(dispatcher: client.dispatcher).page(route.url)
      return WebPageScreen(url: route.url, page: page)
    }
    table.fallback(under: "estate://help") { _, context in
      try await context.call(WebPageRoute(url: "https://api.estate.test/help.html"))
    }
  }
}
