public import Mediation

/// The screen of the homes of a search, in one list that grows page by page.
public struct BrowseRoute: Route, Codable, Hashable {
  /// The URLs of the screen.
  public static let pattern: RoutePattern = """
    estate://browse?kind={kind:house|condo|multi?}&city={city?}&max={maximumPrice:int?}&beds={beds:int?}
    """
  /// The app's own pages in a browser may show it.
  public static let exposure = Exposure.link([.web(host: "127.0.0.1")])

  /// The kind of homes; houses if it is nil.
  public var kind: HomeKind?
  /// Only homes in this city.
  public var city: String?
  /// Only homes up to this price, in dollars.
  public var maximumPrice: Int?
  /// Only homes with at least this many bedrooms.
  public var beds: Int?

  /// Creates a route to the homes of a search.
  public init(kind: HomeKind? = nil, city: String? = nil, maximumPrice: Int? = nil, beds: Int? = nil) {
    self.kind = kind
    self.city = city
    self.maximumPrice = maximumPrice
    self.beds = beds
  }
}
