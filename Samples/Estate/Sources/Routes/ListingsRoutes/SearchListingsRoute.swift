public import Mediation

/// Types a city into the search field of the list opened last, letter by letter.
public struct SearchListingsRoute: Route, Hashable {
  /// The URLs of the search.
  public static let pattern: RoutePattern = "estate://listings/search?city={city}"

  /// The city.
  public var city: String

  /// Creates the route.
  public init(city: String) { self.city = city }

  /// Reads the route from a URL.
  public init(from input: RouteInput) throws(RouteError) { city = try input.value("city") }

  /// Writes the route's parameters.
  public func write(to output: inout RouteOutput) { output.set("city", to: city) }
}
