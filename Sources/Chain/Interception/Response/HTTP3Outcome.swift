extension TransportReport {
  /// Whether HTTP/3 carried an exchange, or the reason why another version did.
  public enum HTTP3Outcome: Sendable, Hashable, CustomStringConvertible {
    /// HTTP/3 was used.
    case used
    /// The configuration turns it off.
    case off
    /// The transport's library has no HTTP/3.
    case unsupported
    /// The origin has not advertised it to requests of this partition (RFC 7838), or no longer does, and no
    /// HTTPS record that was looked up has (RFC 9460).
    case notAdvertised
    /// A proxy applies, which HTTP/3 does not pass.
    case proxied
    /// The request needs another version, such as one with content, or one over a Unix domain socket;
    /// or HTTP/3 is at another port of the host, and the address to connect to was chosen for this one.
    case unsuitable
    /// It was tried, and a connection over TCP was ready first.
    case lostRace
    /// It has failed with this origin before, and is tried again after `retryAfter` at the earliest.
    case broken(retryAfter: Duration)
    /// Content came far more slowly than over TCP from this origin; it is tried again after `retryAfter` at
    /// the earliest.
    case throttled(retryAfter: Duration)

    /// A short text for logs, such as "lost the race against TCP".
    public var description: String {
      switch self {
      case .used: "used"
      case .off: "turned off"
      case .unsupported: "not in this library"
      case .notAdvertised: "not advertised"
      case .proxied: "not through a proxy"
      case .unsuitable: "not for this request"
      case .lostRace: "lost the race against TCP"
      case .broken(let retryAfter): "failed before, tried again in \(Self.seconds(retryAfter)) s"
      case .throttled(let retryAfter):
        "far slower than TCP before, tried again in \(Self.seconds(retryAfter)) s"
      }
    }

    private static func seconds(_ duration: Duration) -> Int64 { max(duration.components.seconds, 0) }
  }
}
