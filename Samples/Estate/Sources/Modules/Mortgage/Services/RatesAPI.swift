import APIManagers
import EstateContract
import Interception

/// The interest rates of the day; a load while another one is in flight joins it.
struct RatesAPI: API {
  struct Output: Decodable, Sendable {
    let rates: [Rate]
  }

  static let endpoint = Endpoint<NoParams>(
    .estate, "mortgage.rates", path: "/mortgage-rates", cacheRule: .browsing, inFlight: .ignoreNew)
}
