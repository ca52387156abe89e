/// How connections are made and how long they are kept for further requests.
public struct ConnectionPolicy: Sendable, Hashable {
  /// The longest time without use after which a connection may still be used again; 118 s.
  ///
  /// libcurl counts whole seconds; a fraction is cut off. It should be shorter than the servers' own limit,
  /// else requests meet connections that the server is about to close.
  public var idle: Duration
  /// The age beyond which a connection takes no new request; nil, which is the default, sets no limit.
  ///
  /// Whole seconds, at least one. Set it where addresses behind a name change and must be noticed under load.
  public var lifetime: Duration?
  /// The most connections that are kept open while nothing runs over them; nil keeps as many as
  /// ``CurlDispatcher/Limits/total``.
  public var kept: Int?
  /// The silence after which TCP asks whether the other side still lives, and the time between two questions;
  /// nil never asks; 60 s.
  public var probe: Duration?
  /// The head start of IPv6 before IPv4 is tried besides; 250 ms (RFC 8305, section 5).
  ///
  /// It concerns names with addresses of both families. libcurl tries the addresses of one family one after
  /// another, each within half of the connect time that is left, but for a request whose kept connection was
  /// closed at the very moment: there the first one has all of it.
  public var headStart: Duration

  /// Makes a policy.
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
