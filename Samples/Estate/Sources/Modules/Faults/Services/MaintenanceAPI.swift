import APIManagers
import EstateContract

/// Answers 200 with a notice, which the rule of the service swallows.
struct MaintenanceAPI: API {
  static let endpoint = Endpoint<NoParams>(.demo, "maintenance", path: "/maintenance")
}
