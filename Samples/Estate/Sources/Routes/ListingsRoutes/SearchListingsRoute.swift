public import Mediation

/// Types a city into the search field of the list opened last, letter by letter.
public struct SearchListingsRoute: Route, Codable, Hashable {
  /// The URLs of the search.
  public static let pattern: RoutePattern = "estate://listings/search?city={city}"

  /// The city.
  public var city: String

  /// Creates the route.
  public init(city: String) { self.city = city }
}
