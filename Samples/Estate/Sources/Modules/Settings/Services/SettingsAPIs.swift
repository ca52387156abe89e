import APIManagers
import EstateContract
import HTTPTypes
import SettingsRoutes

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

/// Lets the server publish a document.
struct PublishDeploymentAPI: API {
  struct Params: Sendable, Hashable {
    let change: String
  }

  static let endpoint = Endpoint<Params>(
    .demo, "deployment.publish", method: .put, path: "/deployment/\(\.change)", encoding: .pathOnly)
}

/// The document that the server publishes.
struct DeploymentAPI: API {
  static let endpoint = Endpoint<NoParams>(.estate, "deployment", path: "/deployment")

  func output(from response: APIResponse) throws -> [UInt8] { response.bytes }
}

/// Receives documents from the server.
struct DeploymentLoader: Sendable {
  let client: APIClient
  let deployments: (any ReceivedDeployments)?

  /// Lets the server publish a document and receives it; one that the app dies of is only tried beside it.
  func receive(_ change: DeploymentRoute.Change) async throws -> String {
    guard let deployments else { return "This run keeps no deployment documents." }
    guard change == .deadly else { return try await deployments.receive(published(change)) }
    let before = try await published(.spring)
    return try await deployments.safeStart(with: published(.deadly), before: before)
  }

  private func published(_ change: DeploymentRoute.Change) async throws -> [UInt8] {
    let params = PublishDeploymentAPI.Params(change: change.rawValue)
    _ = try await APIManager(PublishDeploymentAPI(), client: client).load(.response, for: params)
    return try await client.load(DeploymentAPI(), NoParams())
  }
}
