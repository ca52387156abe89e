import APIManagers
import EstateNetwork

/// Answers with half a JSON document.
struct MalformedAPI: API {
  struct Answer: Decodable {
    let total: Int
  }

  static let endpoint = Endpoint<NoParams>(.estate, "demo.broken-json", path: "/demo/broken-json")
}
