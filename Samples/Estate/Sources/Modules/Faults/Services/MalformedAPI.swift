import APIManagers
import EstateContract

/// Answers with half a JSON document.
struct MalformedAPI: API {
  struct Answer: Decodable {
    let total: Int
  }

  static let endpoint = Endpoint<NoParams>(.demo, "broken-json", path: "/broken-json")
}
