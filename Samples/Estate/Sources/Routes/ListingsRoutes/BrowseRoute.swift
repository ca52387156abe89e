public import Mediation

/// The screen of the houses of a search, in one list that grows page by page.
public struct BrowseRoute: Route, Codable, Hashable {
  /// The URLs of the screen.
  public static let pattern: RoutePattern = "estate://browse?city={city?}&beds={beds:int?}"

  /// Only houses in this city.
  public var city: String?
  /// Only houses with at least this many bedrooms.
  public var beds: Int?

  /// Creates a route to the houses of a search.
  public init(city: String? = nil, beds: Int? = nil) {
    self.city = city
    self.beds = beds
  }
}
