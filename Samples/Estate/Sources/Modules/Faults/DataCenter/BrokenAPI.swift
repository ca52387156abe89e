import APIManagers
import EstateNetwork

/// Fails.
struct BrokenAPI: API {
  static let endpoint = Endpoint<NoParams>(.estate, "demo.error500", path: "/demo/error500")
}
