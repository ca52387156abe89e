public import APIManagers
import HelpRoutes
public import Mediation
import Navigation

/// Shows web pages for URLs that no other module answers.
public struct HelpModule: BusinessModule {
  /// The module's name.
  public let name = "Help"
  private let host: HostApp

  /// Creates the module.
  public init(host: HostApp) { self.host = host }

  /// Declares the web page's screen.
  public func declare(into table: inout RouteTable) {
    table.screen(WebPageRoute.self) { [host] route, _, _ in
      let page = try await Pages(dispatcher: host.dispatcher).page(route.url)
      return WebPageScreen(url: route.url, page: page)
    }
  }
}
