/// How connections are opened, and how long they are kept for reuse.
public struct ConnectionPolicy: Sendable, Hashable {
  /// The maximum time that a connection may have been idle when it is reused; 118 s.
  package var idle: Duration
  /// The maximum age of a connection that is reused, at least 1 s; nil, the default, sets none.
  package var lifetime: Duration?
  /// The maximum number of idle connections; nil, the default, keeps `total`.
  package var kept: Int?
  /// The interval of TCP keep-alive probes on a silent connection; 60 s, and nil sends none.
  package var probe: Duration?
  /// The head start of IPv6 before IPv4 is tried as well (RFC 8305, section 5); 250 ms.
  package var headStart: Duration
  /// The Unix domain sockets over which hosts of the same machine are reached, as paths by host name; none by
  /// default.
  package var sockets: [String: String]
  /// The hosts whose http URLs are requested over HTTP/2 without TLS; none by default.
  package var priorKnowledge: Set<String>

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - idle: The maximum time that a connection may have been idle when it is reused; 118 s.
  ///
  ///     Fractions of a second are ignored. Choose less than the servers' own limit; otherwise requests meet
  ///     connections that the server is about to close.
  ///   - lifetime: The maximum age of a connection that is reused, at least 1 s; nil, the default, sets none.
  ///
  ///     Fractions of a second are ignored. Set it if the addresses of a name change and busy clients must
  ///     notice.
  ///   - kept: The maximum number of idle connections; nil, the default, keeps
  ///     `total`.
  ///   - probe: The interval of TCP keep-alive probes on a silent connection; 60 s, and nil sends none.
  ///   - headStart: The head start of IPv6 before IPv4 is tried as well (RFC 8305, section 5); 250 ms.
  ///
  ///     libcurl tries the addresses of one family in order, each for at most half of the remaining connect
  ///     time, except when a reused connection was just closed: then the first address gets all of it.
  ///   - sockets: The Unix domain sockets over which hosts of the same machine are reached, as paths by host
  ///     name; none by default.
  ///
  ///     With `["docker": "/var/run/docker.sock"]` a request to `http://docker/version` is sent over that
  ///     socket, with `Host: docker`. Such a host has no addresses, so neither a proxy nor the DNS bypass
  ///     applies to it. Case and a dot at the end of a host are ignored. A path that is empty, holds a NUL
  ///     byte, or has more than 107 bytes fails its requests as `invalidRequest`; a text that is no host,
  ///     such as a pattern or one with a port, fails every request.
  ///   - priorKnowledge: The hosts whose http URLs are requested over HTTP/2 without TLS; none by default.
  ///
  ///     Name only servers that are known to speak it (RFC 9113, section 3.3), such as gRPC services of a
  ///     cluster; any other server fails the requests. `streamsPerOrigin` applies to
  ///     them. A proxy that forwards requests without a tunnel gets HTTP/1.1. With libcurl before 8.0 the
  ///     requests fail with `NetworkError.Kind.unsupported`. Hosts are written as for `sockets`.
  public init(
    idle: Duration = .seconds(118), lifetime: Duration? = nil, kept: Int? = nil,
    probe: Duration? = .seconds(60), headStart: Duration = .milliseconds(250),
    sockets: [String: String] = [:], priorKnowledge: Set<String> = []
  ) {
    self.idle = max(idle, .zero)
    self.lifetime = lifetime.map { max($0, .seconds(1)) }
    self.kept = kept.map { max($0, 1) }
    self.probe = probe.map { max($0, .seconds(1)) }
    self.headStart = max(headStart, .zero)
    self.sockets = sockets
    self.priorKnowledge = priorKnowledge
  }
}
