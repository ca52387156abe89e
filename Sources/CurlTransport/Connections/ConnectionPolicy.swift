/// How connections are opened, and how long they are kept for reuse.
public struct ConnectionPolicy: Sendable, Hashable {
  /// The maximum time that a connection may have been idle when it is reused; 118 s.
  ///
  /// Fractions of a second are ignored. Choose less than the servers' own limit; otherwise requests meet
  /// connections that the server is about to close.
  public var idle: Duration
  /// The maximum age of a connection that is reused, at least 1 s; nil, the default, sets none.
  ///
  /// Fractions of a second are ignored. Set it if the addresses of a name change and busy clients must
  /// notice.
  public var lifetime: Duration?
  /// The maximum number of idle connections; nil, the default, keeps ``CurlDispatcher/Limits/total``.
  public var kept: Int?
  /// The interval of TCP keep-alive probes on a silent connection; 60 s, and nil sends none.
  public var probe: Duration?
  /// The head start of IPv6 before IPv4 is tried as well (RFC 8305, section 5); 250 ms.
  ///
  /// libcurl tries the addresses of one family in order, each for at most half of the remaining connect time,
  /// except when a reused connection was just closed: then the first address gets all of it.
  public var headStart: Duration

  /// Creates a policy.
  public init(
    idle: Duration = .seconds(118), lifetime: Duration? = nil, kept: Int? = nil,
    probe: Duration? = .seconds(60), headStart: Duration = .milliseconds(250)
  ) {
    self.idle = max(idle, .zero)
    self.lifetime = lifetime.map { max($0, .seconds(1)) }
    self.kept = kept.map { max($0, 1) }
    self.probe = probe.map { max($0, .seconds(1)) }
    self.headStart = max(headStart, .zero)
  }
}
