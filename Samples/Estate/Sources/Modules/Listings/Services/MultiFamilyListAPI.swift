import APIManagers
import EstateContract
import Interception

/// The list of multi-family houses.
struct MultiFamilyListAPI: API {
  static let endpoint = Endpoint<HomeSearch>(
    .estate, "multi.list", path: "/multi-family", cacheRule: .browsing, inFlight: .cancelPrevious)

  func validate(_ search: HomeSearch) throws(ParamsError) { try search.check() }
}
