import APIManagers
import EstateContract

/// Answers 500.
struct BrokenAPI: API {
  static let endpoint = Endpoint<NoParams>(.demo, "error500", path: "/error500")
}
