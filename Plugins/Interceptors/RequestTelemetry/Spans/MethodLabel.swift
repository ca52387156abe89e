#if Telemetry
import HTTPTypes

/// A method as the attribute `http.request.method`, which has a bounded set of values.
struct MethodLabel: Sendable, Hashable {
  /// The method, or `_OTHER`.
  let name: String

  init(_ method: HTTPRequest.Method) {
    name = Self.known.contains(method.rawValue) ? method.rawValue : Self.other
  }

  var isKnown: Bool { name != Self.other }

  private static let other = "_OTHER"
  // An array: the first few are nearly all, and found faster than a hash is computed.
  private static let known = [
    "GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "QUERY", "CONNECT", "TRACE",
  ]
}
#endif
