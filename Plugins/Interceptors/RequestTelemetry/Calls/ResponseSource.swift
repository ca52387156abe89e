#if Telemetry
import Interception

/// Where the result of a call came from.
enum ResponseSource: String, Sendable {
  /// The server, by at least one request of this call.
  case network
  /// A cache, possibly after revalidation.
  case cache
  /// Neither: another call's request, an interceptor, or a refusal before anything was sent.
  case none

  init(cache: Exchange.CacheStatus?, wasSent: Bool) {
    self = cache?.isHit == true ? .cache : wasSent ? .network : .none
  }
}
#endif
