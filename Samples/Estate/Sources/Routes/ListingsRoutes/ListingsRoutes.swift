package import Mediation

/// The kinds of homes.
package enum HomeKind: String, Codable, CaseIterable, Sendable {
  /// A single-family house.
  case house
  /// A condominium.
  case condo
  /// A multi-family house.
  case multi
}

/// The screen of a page of homes of one kind.
package struct ListingsRoute: Route, Codable, Hashable {
  package static let pattern: RoutePattern = """
    estate://listings/{kind:house|condo|multi}?city={city?}&max={maximumPrice:int?}&beds={beds:int?}&\
    page={pageNumber:int?}
    """
  /// The same list on the app's web site.
  package static let aliases: [RoutePattern] = [
    "https://www.estate.test/homes/by-kind/{kind:house|condo|multi}?city={city?}&page={pageNumber:int?}"
  ]
  /// Links from anywhere may show homes.
  package static let exposure = Exposure.link([
    .scheme("estate"), .universal(host: "www.estate.test"), .push, .shortcut, .web(host: "127.0.0.1"),
    .web(host: "api.estate.test"),
  ])

  package var kind: HomeKind
  package var city: String?
  package var maximumPrice: Int?
  /// The minimum number of bedrooms.
  package var beds: Int?
  /// The page, counted from 1.
  package var page: Int { pageNumber ?? 1 }
  /// The page in the URL, which leaves out the first one.
  private var pageNumber: Int?

  package init(
    kind: HomeKind, city: String? = nil, maximumPrice: Int? = nil, beds: Int? = nil, page: Int = 1
  ) {
    self.kind = kind
    self.city = city
    self.maximumPrice = maximumPrice
    self.beds = beds
    pageNumber = page == 1 ? nil : page
  }
}

/// Loads the next page of the list opened last, which replaces the page that it shows.
package struct NextListingsRoute: ParameterlessRoute, Hashable {
  package static let pattern: RoutePattern = "estate://listings/next"

  package init() {}
}

/// Types a city into the search field of the list opened last, letter by letter.
package struct SearchListingsRoute: Route, Codable, Hashable {
  package static let pattern: RoutePattern = "estate://listings/search?city={city}"

  package var city: String
}

/// The screen of the homes of a search, in one list that grows page by page.
package struct BrowseRoute: Route, Codable, Hashable {
  package static let pattern: RoutePattern = """
    estate://browse?kind={kind:house|condo|multi?}&city={city?}&max={maximumPrice:int?}&beds={beds:int?}
    """
  /// The app's own pages in a browser may show it.
  package static let exposure = Exposure.link([.web(host: "127.0.0.1")])

  /// The kind of homes; houses if it is nil.
  package var kind: HomeKind?
  package var city: String?
  package var maximumPrice: Int?
  /// The minimum number of bedrooms.
  package var beds: Int?

  package init(kind: HomeKind? = nil, city: String? = nil) {
    self.kind = kind
    self.city = city
  }
}

/// Loads the homes of another search into the list opened last with `BrowseRoute`; the page that is being
/// loaded is cancelled.
package struct FilterHomesRoute: Route, Codable, Hashable {
  package static let pattern: RoutePattern = """
    estate://browse/filter?kind={kind:house|condo|multi?}&city={city?}&max={maximumPrice:int?}&\
    beds={beds:int?}
    """

  /// The kind of homes; houses if it is nil.
  package var kind: HomeKind?
  package var city: String?
  package var maximumPrice: Int?
  /// The minimum number of bedrooms.
  package var beds: Int?

  package init(city: String, beds: Int? = nil) {
    self.city = city
    self.beds = beds
  }
}

/// Adds the next page to the list opened last with `BrowseRoute`, or loads the page that has failed again.
package struct MoreHomesRoute: ParameterlessRoute, Hashable {
  package static let pattern: RoutePattern = "estate://browse/more"

  package init() {}
}

/// Loads the list opened last with `BrowseRoute` again, from its first page and not from the cache.
package struct RefreshHomesRoute: ParameterlessRoute, Hashable {
  package static let pattern: RoutePattern = "estate://browse/refresh"

  package init() {}
}

/// The screen of the cheapest homes of each kind.
package struct OverviewRoute: Route, Codable, Hashable {
  package static let pattern: RoutePattern = "estate://overview?city={city?}"
  /// The app's own pages in a browser may show it.
  package static let exposure = Exposure.link([.web(host: "127.0.0.1")])

  package var city: String?
}
