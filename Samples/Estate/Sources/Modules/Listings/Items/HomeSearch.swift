import ListingsRoutes

/// The parameters of a search, shared by the three list APIs.
struct HomeSearch: Encodable, Sendable, Hashable {
  var city: String?
  var maximumPrice: Int?
  var beds: Int?
  var page = 1
  var size = HomeList.pageSize

  private enum CodingKeys: String, CodingKey {
    case city, beds, page, size
    case maximumPrice = "max_price"
  }
}

extension HomeSearch {
  init(_ route: ListingsRoute) {
    self.init(city: route.city, maximumPrice: route.maximumPrice, beds: route.beds, page: route.page)
  }
}
