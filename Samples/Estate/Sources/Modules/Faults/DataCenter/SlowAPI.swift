import APIManagers
import EstateNetwork
import Interception

/// Keeps its caller waiting.
struct SlowAPI: API {
  static let endpoint = Endpoint<NoParams>(
    .estate, "demo.slow", path: "/demo/slow",
    options: RequestOptions(timeouts: RequestOptions.Timeouts(whole: .seconds(1))))
}
