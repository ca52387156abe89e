import APIManagers
import EstateContract
import Interception

/// Answers later than its timeout.
struct SlowAPI: API {
  static let endpoint = Endpoint<NoParams>(
    .demo, "slow", path: "/slow",
    options: RequestOptions(timeouts: RequestOptions.Timeouts(whole: .seconds(1))))
}
