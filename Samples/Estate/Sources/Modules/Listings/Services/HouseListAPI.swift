import APIManagers
import EstateContract
import Interception

/// The list of houses.
struct HouseListAPI: API {
  static let endpoint = Endpoint<HomeSearch>(
    .estate, "houses.list", path: "/houses", cacheRule: .browsing, inFlight: .cancelPrevious)

  func validate(_ search: HomeSearch) throws(ParamsError) { try search.check() }
}
