import ListingsRoutes
public import Mediation

/// The screen of one home.
public struct HomeRoute: Route, Codable, Hashable {
  /// The URLs of a home.
  public static let pattern: RoutePattern = "estate://home/{id:int}"
  /// The same home on the app's web site.
  public static let aliases: [RoutePattern] = ["https://www.estate.test/homes/{id:int}"]
  /// Links from anywhere may show a home.
  public static let exposure = Exposure.link([
    .scheme("estate"), .universal(host: "www.estate.test"), .push, .shortcut, .web(host: "127.0.0.1"),
    .web(host: "api.estate.test"),
  ])

  /// The home's number.
  public var id: Int

  /// Creates a route to a home.
  public init(id: Int) { self.id = id }

  /// The list of houses, to which the user goes back from a home that a link opened.
  public var parents: [any Route] { [ListingsRoute(kind: .house)] }
}
