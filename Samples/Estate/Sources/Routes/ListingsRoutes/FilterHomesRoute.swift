public import Mediation

/// Loads the homes of another search into the list opened last with `BrowseRoute`; the page that is being
/// loaded is cancelled.
public struct FilterHomesRoute: Route, Codable, Hashable {
  /// The URLs of the filter.
  public static let pattern: RoutePattern = """
    estate://browse/filter?kind={kind:house|condo|multi?}&city={city?}&max={maximumPrice:int?}&\
    beds={beds:int?}
    """

  /// The kind of homes; houses if it is nil.
  public var kind: HomeKind?
  /// Only homes in this city.
  public var city: String?
  /// Only homes up to this price, in dollars.
  public var maximumPrice: Int?
  /// Only homes with at least this many bedrooms.
  public var beds: Int?

  /// Creates the route.
  public init(kind: HomeKind? = nil, city: String? = nil, maximumPrice: Int? = nil, beds: Int? = nil) {
    self.kind = kind
    self.city = city
    self.maximumPrice = maximumPrice
    self.beds = beds
  }
}
