import APIManagers
import EstateContract
import Interception

struct HouseListAPI: API {
  static let endpoint = Endpoint<HomeSearch>(
    .estate, "houses.list", path: "/houses", cacheRule: .browsing, inFlight: .cancelPrevious)

  func validate(_ search: HomeSearch) throws(ParamsError) { try search.check() }
}

struct CondoListAPI: API {
  static let endpoint = Endpoint<HomeSearch>(
    .estate, "condos.list", path: "/condos", cacheRule: .browsing, inFlight: .cancelPrevious)

  func validate(_ search: HomeSearch) throws(ParamsError) { try search.check() }
}

struct MultiFamilyListAPI: API {
  static let endpoint = Endpoint<HomeSearch>(
    .estate, "multi.list", path: "/multi-family", cacheRule: .browsing, inFlight: .cancelPrevious)

  func validate(_ search: HomeSearch) throws(ParamsError) { try search.check() }
}

extension HomeSearch {
  /// Refuses what the server would refuse, before the request is sent.
  func check() throws(ParamsError) {
    guard page >= 1 else {
      throw ParamsError(field: "page", "pages are counted from 1; ask for another one.")
    }
    if let maximumPrice, maximumPrice < 0 {
      throw ParamsError(field: "max", "a price is not negative; ask for 0 or more.")
    }
    if let beds, beds < 0 { throw ParamsError(field: "beds", "ask for 0 or more bedrooms.") }
  }
}
