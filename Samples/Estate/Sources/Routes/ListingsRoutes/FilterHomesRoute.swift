public import Mediation

/// Filters the list opened last with `BrowseRoute`; a page that is being loaded is cancelled.
public struct FilterHomesRoute: Route, Codable, Hashable {
  /// The URLs of the filter.
  public static let pattern: RoutePattern = "estate://browse/filter?city={city?}&beds={beds:int?}"

  /// Only houses in this city.
  public var city: String?
  /// Only houses with at least this many bedrooms.
  public var beds: Int?

  /// Creates the route.
  public init(city: String? = nil, beds: Int? = nil) {
    self.city = city
    self.beds = beds
  }
}
