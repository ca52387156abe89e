import APIManagers
import EstateContract

/// Answers 426, which the rule of the service turns into a failure.
struct OutdatedAPI: API {
  static let endpoint = Endpoint<NoParams>(.demo, "outdated", path: "/outdated")
}
