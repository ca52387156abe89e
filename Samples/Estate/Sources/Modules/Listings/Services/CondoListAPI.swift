import APIManagers
import EstateContract
import Interception

/// The list of condos.
struct CondoListAPI: API {
  static let endpoint = Endpoint<HomeSearch>(
    .estate, "condos.list", path: "/condos", cacheRule: .browsing, inFlight: .cancelPrevious)

  func validate(_ search: HomeSearch) throws(ParamsError) { try search.check() }
}
