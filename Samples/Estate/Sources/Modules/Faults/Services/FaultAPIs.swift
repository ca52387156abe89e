import APIManagers
import EstateContract
import HTTPTypes
import Interception

// The APIs that fail or recover, one for each fault that is shown.

/// Answers later than its timeout.
struct SlowAPI: API {
  static let endpoint = Endpoint<NoParams>(
    .demo, "slow", path: "/slow",
    options: RequestOptions(timeouts: RequestOptions.Timeouts(whole: .seconds(1))))
}

/// Answers 500.
struct BrokenAPI: API {
  static let endpoint = Endpoint<NoParams>(.demo, "error500", path: "/error500")
}

/// Answers with half a JSON document.
struct MalformedAPI: API {
  struct Answer: Decodable {
    let total: Int
  }

  static let endpoint = Endpoint<NoParams>(.demo, "broken-json", path: "/broken-json")
}

/// Answers 426, which the rule of the service turns into a failure.
struct OutdatedAPI: API {
  static let endpoint = Endpoint<NoParams>(.demo, "outdated", path: "/outdated")
}

/// Answers 200 with a notice, which the rule of the service swallows.
struct MaintenanceAPI: API {
  static let endpoint = Endpoint<NoParams>(.demo, "maintenance", path: "/maintenance")
}

/// Answers 503 for two seconds, with a `Retry-After` of one.
struct AwayAPI: API {
  static let endpoint = Endpoint<NoParams>(
    .demo, "away", path: "/away",
    options: RequestOptions(timeouts: RequestOptions.Timeouts(call: .seconds(30))))
}

/// An API that needs a login.
struct MembersOnlyAPI: API {
  static let endpoint = Endpoint<NoParams>(.estate, "favourites.list", path: "/favourites")
}

/// A home at the address that it had before; the server redirects to the one that it has now.
struct MovedListingAPI: API {
  static let endpoint = Endpoint<NoParams>(.estate, "listings.detail", path: "/listings/42")
}

/// Stops the server's first address; it stays reachable at the other one.
struct StopAddressAPI: API {
  static let endpoint = Endpoint<NoParams>(
    .demo, "address.stop", method: .delete, path: "/addresses/127.0.0.1")
}

/// Starts the server's first address again.
struct StartAddressAPI: API {
  static let endpoint = Endpoint<NoParams>(
    .demo, "address.start", method: .put, path: "/addresses/127.0.0.1")
}
