package import FeatureFlags
import ListingsRoutes
package import Mediation

/// The screen of one home.
package struct HomeRoute: Route, Codable, Hashable {
  package static let pattern: RoutePattern = "estate://home/{id:int}"
  /// The same home on the app's web site.
  package static let aliases: [RoutePattern] = ["https://www.estate.test/homes/{id:int}"]
  /// Links from anywhere may show a home.
  package static let exposure = Exposure.link([
    .scheme("estate"), .universal(host: "www.estate.test"), .push, .shortcut, .web(host: "127.0.0.1"),
    .web(host: "api.estate.test"),
  ])

  package var id: Int

  /// The list of houses, to which the user goes back from a home that a link opened.
  package var parents: [any Route] { [ListingsRoute(kind: .house)] }
}

/// The screen of several homes side by side.
package struct CompareRoute: Route, Codable, Hashable {
  package static let pattern: RoutePattern = "estate://compare?homes={homes}"
  /// The app's own pages in a browser may show it.
  package static let exposure = Exposure.link([.web(host: "127.0.0.1")])

  package var homes: HomeNumbers
}

/// What deployment documents can change about the screen of a home.
package enum HomeFlags {
  /// The words that follow a price, such as "asking price".
  package static let priceLabel = FeatureFlag("home.price-label", default: "")
}
