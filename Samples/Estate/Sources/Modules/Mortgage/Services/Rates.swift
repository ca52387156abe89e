import APIManagers
import EstateContract
import Interception

/// Loads the interest rates of the day; concurrent callers share one request.
@MainActor final class Rates {
  private let manager: APIManager<RatesAPI>

  init(client: APIClient) { manager = APIManager(RatesAPI(), client: client) }

  func load() async throws -> [Rate] { try await manager.load(.output).rates }
}

/// The interest rates of the day; a load while another one is in flight joins it.
struct RatesAPI: API {
  struct Output: Decodable, Sendable {
    let rates: [Rate]
  }

  static let endpoint = Endpoint<NoParams>(
    .estate, "mortgage.rates", path: "/mortgage-rates", cacheRule: .browsing, inFlight: .ignoreNew)
}
