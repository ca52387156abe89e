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
