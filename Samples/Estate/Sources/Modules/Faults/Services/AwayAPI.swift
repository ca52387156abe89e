import APIManagers
import EstateContract
import Interception

/// Answers 503 for two seconds, with a `Retry-After` of one.
struct AwayAPI: API {
  static let endpoint = Endpoint<NoParams>(
    .demo, "away", path: "/away",
    options: RequestOptions(timeouts: RequestOptions.Timeouts(call: .seconds(30))))
}
