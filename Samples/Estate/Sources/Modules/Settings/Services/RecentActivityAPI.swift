import APIManagers
import EstateContract

/// The newest actions that apps have reported.
struct RecentActivityAPI: API {
  struct Params: Encodable, Sendable {
    let limit: Int
  }

  struct Output: Decodable, Sendable {
    let events: [ReportedAction]
    /// The number of all actions that were reported since the server's start.
    let received: Int
  }

  static let endpoint = Endpoint<Params>(.estate, "activity.list", path: "/activity")
}
