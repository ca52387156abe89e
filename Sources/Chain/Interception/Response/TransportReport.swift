/// A transport's measurements of one exchange.
public struct TransportReport: Sendable, Hashable {
  /// The HTTP version of a connection.
  public enum HTTPVersion: String, Sendable, Hashable {
    /// HTTP/1.1 (RFC 9112) or HTTP/1.0.
    case http1 = "HTTP/1.1"
    /// HTTP/2 (RFC 9113).
    case http2 = "HTTP/2"
    /// HTTP/3 (RFC 9114).
    case http3 = "HTTP/3"
  }

  /// The duration of each phase, measured from the end of the previous one; nil for phases that did not
  /// occur.
  public struct Phases: Sendable, Hashable {
    /// The wait in the dispatcher's queue.
    public var queue: Duration?
    /// The name resolution.
    public var name: Duration?
    /// The TCP connection.
    public var connect: Duration?
    /// The TLS handshake.
    public var tls: Duration?
    /// From the connection's readiness to the first byte of the response.
    public var firstByte: Duration?
    /// From the first byte of the response to the last.
    public var lastByte: Duration?

    /// Creates the durations of the phases.
    public init(
      queue: Duration? = nil, name: Duration? = nil, connect: Duration? = nil, tls: Duration? = nil,
      firstByte: Duration? = nil, lastByte: Duration? = nil
    ) {
      self.queue = queue
      self.name = name
      self.connect = connect
      self.tls = tls
      self.firstByte = firstByte
      self.lastByte = lastByte
    }

    /// The phases that occurred, in order, with their names.
    public var named: [(name: String, time: Duration)] {
      let all = [
        ("queue", queue), ("name", name), ("connect", connect), ("tls", tls), ("first byte", firstByte),
        ("last byte", lastByte),
      ]
      return all.compactMap { name, time in time.map { (name, $0) } }
    }
  }

  /// The number of bytes sent and received.
  public struct Bytes: Sendable, Hashable {
    /// The bytes of the request's body, as sent.
    public var sent: Int64
    /// The bytes of the response's body, as received.
    public var received: Int64
    /// The bytes of the response's body after decoding; those received if nothing was decoded.
    public var decoded: Int64

    /// Creates byte counts.
    public init(sent: Int64 = 0, received: Int64 = 0, decoded: Int64 = 0) {
      self.sent = sent
      self.received = received
      self.decoded = decoded
    }
  }

  /// The duration of each phase.
  public var phases: Phases
  /// The number of bytes sent and received.
  public var bytes: Bytes
  /// The address of the connection's peer, such as `127.0.0.1:8443`.
  public var remoteAddress: String?
  /// The HTTP version, or nil if it is unknown.
  public var version: HTTPVersion?
  /// Whether the connection was used by an earlier request.
  public var connectionWasReused: Bool
  /// The content coding in which the body was received, if any, decoded or not.
  public var contentCoding: ContentCoding?
  /// Whether HTTP/3 was used, and why not; nil if the transport does not report it, as without TLS.
  public var http3: HTTP3Outcome?

  /// Creates a report.
  public init(
    phases: Phases = Phases(), bytes: Bytes = Bytes(), remoteAddress: String? = nil,
    version: HTTPVersion? = nil, connectionWasReused: Bool = false, contentCoding: ContentCoding? = nil,
    http3: HTTP3Outcome? = nil
  ) {
    self.phases = phases
    self.bytes = bytes
    self.remoteAddress = remoteAddress
    self.version = version
    self.connectionWasReused = connectionWasReused
    self.contentCoding = contentCoding
    self.http3 = http3
  }
}
