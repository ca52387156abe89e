import HelpRoutes
import Switchyard

extension RouteFallback {
  /// Shows the web page of a URL that no route matches.
  ///
  /// A link from one page of a site to another replaces the page, so that going back leaves the site.
  static var webPage: RouteFallback {
    RouteFallback { unrouted, context in
      let page = WebPageRoute(url: unrouted.text)
      switch context.origin {
      case .external(.web(host: unrouted.host)): try await context.call(page, as: .replace)
      case .native, .external: try await context.call(page)
      }
    }
  }
}
