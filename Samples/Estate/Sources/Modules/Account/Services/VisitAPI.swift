import APIManagers
import EstateContract
import HTTPTypes

/// Counts a visit of this device, which the server knows by its cookie.
struct VisitAPI: API {
  struct Output: Decodable, Sendable {
    let visits: Int
  }

  static let endpoint = Endpoint<NoParams>(.estate, "visits.add", method: .post, path: "/visits")
}
