import APIManagers
import EstateNetwork
import Interception

/// The interest rates of the day.
struct RatesAPI: API {
  static let endpoint = Endpoint<NoParams>(
    .estate, "mortgage.rates", path: "/mortgage-rates", cacheRule: .timed())
}
