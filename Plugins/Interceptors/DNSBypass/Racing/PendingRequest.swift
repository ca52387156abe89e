import Interception

/// A request that is not connected yet: to a host that wasn't reached recently, or whose best address has
/// just failed.
struct PendingRequest: Sendable {
  let request: Request
  let authority: String
  let host: KnownHost
  /// When the request was intercepted.
  let start: Duration
  /// The attempts that failed.
  var failures: [BypassError.Attempt] = []
  /// The addresses whose circuit breakers its attempts have opened.
  var blamed: [ConnectTarget] = []
}
