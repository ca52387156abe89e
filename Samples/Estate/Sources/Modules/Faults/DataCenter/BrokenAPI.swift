import APIManagers
import EstateNetwork

/// Answers 500.
struct BrokenAPI: API {
  static let endpoint = Endpoint<NoParams>(.estate, "demo.error500", path: "/demo/error500")
}
