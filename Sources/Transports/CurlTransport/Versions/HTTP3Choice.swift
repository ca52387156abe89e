import Interception

/// Whether a transfer tries HTTP/3.
enum HTTP3Choice: Hashable {
  /// Over a connection to this port of the origin's host, raced by one over TCP; both over IPv4 if
  /// `isOverIPv4` is true.
  case attempt(port: Int, isOverIPv4: Bool = false)
  /// It does not, for a reason that the report repeats; nil without TLS.
  case none(TransportReport.HTTP3Outcome?)

  /// What the report says once the response has a version; nil before that if HTTP/3 is tried.
  func outcome(version: TransportReport.HTTPVersion?) -> TransportReport.HTTP3Outcome? {
    switch self {
    case .none(let reason): reason
    case .attempt: version.map { $0 == .http3 ? .used : .lostRace }
    }
  }
}
