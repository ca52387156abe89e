/// When a dispatcher tries HTTP/3 (RFC 9114) for its https requests.
///
/// A connection over QUIC is raced by one over TCP, so that a network that drops UDP costs a request a part
/// of a second. Where TCP was first, HTTP/3 is not tried again for five minutes, and for twice as long after
/// each further failure. `TransportReport.http3` says for each exchange whether HTTP/3 was used, and why not.
///
/// Requests with content, through a proxy and over a Unix domain socket, WebSockets, and dispatchers that
/// require stapled OCSP responses use the other versions.
public enum HTTP3Use: Sendable, Hashable {
  /// HTTP/3 is never used.
  case off
  /// HTTP/3 is tried after a response of the origin has advertised it by `Alt-Svc` (RFC 7838).
  ///
  /// The advertisement applies to requests of the same `RequestContext.partition`. With the
  /// `HTTPSNameResolver` of a DNS bypass, an HTTPS record of the name (RFC 9460) advertises it for the first
  /// request, too. A libcurl without HTTP/3 ignores both.
  case whenAdvertised
  /// HTTP/3 is tried for the first request to an origin, too.
  ///
  /// On a libcurl without HTTP/3 every https request fails with `NetworkError.Kind.unsupported`.
  case first
}
