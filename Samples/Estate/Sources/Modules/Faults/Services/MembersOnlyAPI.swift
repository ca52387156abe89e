import APIManagers
import EstateContract

/// An API that needs a login.
struct MembersOnlyAPI: API {
  static let endpoint = Endpoint<NoParams>(.estate, "favourites.list", path: "/favourites")
}
