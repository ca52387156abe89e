public import Mediation

/// The screen of a page of homes of one kind.
public struct ListingsRoute: Route, Hashable {
  /// The URLs of the list.
  public static let pattern: RoutePattern =
    "estate://listings/{kind}?city={city?}&max={max:int?}&beds={beds:int?}&page={page:int?}"
  /// The same list on the app's web site.
  public static let aliases: [RoutePattern] = [
    "https://www.estate.test/homes/by-kind/{kind}?city={city?}&page={page:int?}"
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
  public var page: Int

  /// Creates a route to a page of a list.
  public init(kind: HomeKind, city: String? = nil, maximumPrice: Int? = nil, beds: Int? = nil, page: Int = 1)
  {
    self.kind = kind
    self.city = city
    self.maximumPrice = maximumPrice
    self.beds = beds
    self.page = page
  }

  /// Reads the route from a URL.
  public init(from input: RouteInput) throws(RouteError) {
    kind = try input.value("kind")
    city = try input.optional("city")
    maximumPrice = try input.optional("max")
    beds = try input.optional("beds")
    page = try input.optional("page") ?? 1
  }

  /// Writes the route's parameters.
  public func write(to output: inout RouteOutput) {
    output.set("kind", to: kind)
    output.set("city", to: city)
    output.set("max", to: maximumPrice)
    output.set("beds", to: beds)
    output.set("page", to: page == 1 ? nil : page)
  }
}
