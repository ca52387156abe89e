/// What a transport saw of one exchange.
public struct TransportReport: Sendable, Hashable {
  /// The version of HTTP that was spoken.
  public enum HTTPVersion: String, Sendable, Hashable {
    /// RFC 9112, or its forerunner 1.0.
    case http1 = "HTTP/1.1"
    /// RFC 9113.
    case http2 = "HTTP/2"
    /// RFC 9114.
    case http3 = "HTTP/3"
  }

  /// The time of each phase, from the phase before to its own end; nil where a phase didn't take place.
  public struct Phases: Sendable, Hashable {
    /// The wait in the dispatcher's queue.
    public var queue: Duration?
    /// The name look-up.
    public var name: Duration?
    /// The TCP connection.
    public var connect: Duration?
    /// The TLS handshake.
    public var tls: Duration?
    /// From the connection's readiness to the answer's first byte.
    public var firstByte: Duration?
    /// From the answer's first byte to its last one.
    public var lastByte: Duration?

    /// Makes the times of the phases.
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

    /// The phases that took place, in order, with their names.
    public var named: [(name: String, time: Duration)] {
      let all = [
        ("queue", queue), ("name", name), ("connect", connect), ("tls", tls), ("first byte", firstByte),
        ("last byte", lastByte),
      ]
      return all.compactMap { name, time in time.map { (name, $0) } }
    }
  }

  /// The number of bytes, each way.
  public struct Bytes: Sendable, Hashable {
    /// Of the request's body, as sent.
    public var sent: Int64
    /// Of the answer's body, as it came over the wire.
    public var received: Int64
    /// Of the answer's body, decoded.
    public var decoded: Int64

    /// Makes counts.
    public init(sent: Int64 = 0, received: Int64 = 0, decoded: Int64 = 0) {
      self.sent = sent
      self.received = received
      self.decoded = decoded
    }
  }

  /// The time of each phase.
  public var phases: Phases
  /// The bytes each way.
  public var bytes: Bytes
  /// The address that the connection led to, such as `127.0.0.1:8443`.
  public var remoteAddress: String?
  /// The version of HTTP.
  public var version: HTTPVersion?
  /// Whether the connection had been used before.
  public var connectionWasReused: Bool
  /// The coding that was undone, where there was one.
  public var contentCoding: ContentCoding?

  /// Makes a report.
  public init(
    phases: Phases = Phases(), bytes: Bytes = Bytes(), remoteAddress: String? = nil,
    version: HTTPVersion? = nil, connectionWasReused: Bool = false, contentCoding: ContentCoding? = nil
  ) {
    self.phases = phases
    self.bytes = bytes
    self.remoteAddress = remoteAddress
    self.version = version
    self.connectionWasReused = connectionWasReused
    self.contentCoding = contentCoding
  }
}
