package import Mediation

/// A screen whose content is a document of the server.
package struct ServerScreenRoute: Route, Codable, Hashable {
  package static let pattern: RoutePattern = "estate://screens/{name}"
  /// The app's own pages in a browser may show them.
  package static let exposure = Exposure.link([.web(host: "127.0.0.1")])

  package var name: String
}

/// The screen of a web page; the app's fallback for http and https URLs.
///
/// It takes a value and has no pattern, so that no URL of the app can choose the page.
package struct WebPageRoute: NativeRoute, Hashable {
  package var url: String

  package init(url: String) { self.url = url }
}
