public import Mediation

/// The screen of a page of homes of one kind.
public struct ListingsRoute: Route, Codable, Hashable {
  /// The URLs of the list.
  public static let pattern: RoutePattern = """
    estate://listings/{kind:house|condo|multi}?city={city?}&max={maximumPrice:int?}&beds={beds:int?}&\
    page={pageNumber:int?}
    """
  /// The same list on the app's web site.
  public static let aliases: [RoutePattern] = [
    "https://www.estate.test/homes/by-kind/{kind:house|condo|multi}?city={city?}&page={pageNumber:int?}"
  ]
  /// Links from anywhere may show homes.
  public static let exposure = Exposure.link([
    .scheme("estate"), .universal(host: "www.estate.test"), .push, .shortcut, .web(host: "127.0.0.1"),
    .web(host: "api.estate.test"),
  ])

  /// The kind of homes.
  public var kind: HomeKind
  /// Only homes in this city.
  public var city: String?
  /// Only homes up to this price, in dollars.
  public var maximumPrice: Int?
  /// Only homes with at least this many bedrooms.
  public var beds: Int?
  /// The page, counted from 1.
  public var page: Int {
    get { pageNumber ?? 1 }
    set { pageNumber = newValue == 1 ? nil : newValue }
  }
  /// The page in the URL, which leaves out the first one.
  private var pageNumber: Int?

  /// Creates a route to a page of a list.
  public init(kind: HomeKind, city: String? = nil, maximumPrice: Int? = nil, beds: Int? = nil, page: Int = 1)
  {
    self.kind = kind
    self.city = city
    self.maximumPrice = maximumPrice
    self.beds = beds
    self.page = page
  }
}
