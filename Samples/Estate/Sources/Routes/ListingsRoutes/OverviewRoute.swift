public import Mediation

/// The screen of the cheapest homes of each kind.
public struct OverviewRoute: Route, Codable, Hashable {
  /// The URLs of the overview.
  public static let pattern: RoutePattern = "estate://overview?city={city?}"
  /// The app's own pages in a browser may show it.
  public static let exposure = Exposure.link([.web(host: "127.0.0.1")])

  /// Only homes in this city.
  public var city: String?

  /// Creates the route.
  public init(city: String? = nil) { self.city = city }
}
