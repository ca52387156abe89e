import APIManagers
import EstateContract

/// A home at the address that it had before; the server redirects to the one that it has now.
struct MovedListingAPI: API {
  static let endpoint = Endpoint<NoParams>(.estate, "listings.detail", path: "/listings/42")
}
