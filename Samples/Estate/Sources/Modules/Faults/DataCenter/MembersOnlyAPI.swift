import APIManagers
import EstateNetwork

/// Needs a login.
struct MembersOnlyAPI: API {
  static let endpoint = Endpoint<NoParams>(.estate, "favourites.list", path: "/favourites")
}
