import APIManagers

/// Loads the interest rates of the day; concurrent callers share one request.
@MainActor final class Rates {
  private let manager: APIManager<RatesAPI>

  init(client: APIClient) { manager = APIManager(RatesAPI(), client: client) }

  func load() async throws -> [Rate] { try await manager.load(.output).rates }
}
