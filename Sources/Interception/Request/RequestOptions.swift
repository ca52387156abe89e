/// How a request is to be carried: time limits, priority, delivery, redirects.
public struct RequestOptions: Sendable, Hashable {
  /// Limits for the phases of one attempt; nil means no limit of its own.
  public struct Timeouts: Sendable, Hashable {
    /// The wait for a free connection.
    public var queue: Duration?
    /// Name look-up, connection and TLS handshake together; 10 s.
    public var connect: Duration?
    /// From the request's last byte to the answer's first one.
    public var firstByte: Duration?
    /// The longest silence between two bytes of a body.
    public var idle: Duration?
    /// The whole attempt, from hand-over to the answer's last byte; 20 s.
    ///
    /// Set it to nil for long downloads.
    public var whole: Duration?

    /// Makes time limits.
    public init(
      queue: Duration? = nil, connect: Duration? = .seconds(10), firstByte: Duration? = nil,
      idle: Duration? = nil, whole: Duration? = .seconds(20)
    ) {
      self.queue = queue
      self.connect = connect
      self.firstByte = firstByte
      self.idle = idle
      self.whole = whole
    }
  }

  /// How an answer's body reaches the caller.
  public enum Delivery: Sendable, Hashable {
    /// As bytes, once it is complete; a longer body fails with ``NetworkError/Kind/bodyTooLarge(limit:)``.
    case buffered(upTo: Int)
    /// As a ``BodyStream``, as soon as the head is there.
    case streamed
  }

  /// What becomes of an answer that points elsewhere; an interceptor of stage ``Stage/redirects`` obeys it.
  public enum RedirectRule: Sendable, Hashable {
    /// The 3xx answer is handed to the caller.
    case report
    /// The target is requested, at most this many times in a row.
    case follow(limit: Int)
  }

  /// Limits for the phases.
  public var timeouts: Timeouts
  /// The precedence among requests that wait for the same connections.
  public var priority: RequestPriority
  /// How the answer's body is handed over; buffered up to 64 MiB.
  public var delivery: Delivery
  /// What becomes of redirects; followed up to 20 times where an interceptor does it.
  public var redirects: RedirectRule
  /// The content codings to ask for; empty asks for none.
  ///
  /// The dispatcher decodes what it asked for.
  public var acceptedCodings: [ContentCoding]
  /// The most decoded bytes of a streamed answer; nil means no limit.
  public var streamLimit: Int64?

  /// Makes options.
  public init(
    timeouts: Timeouts = Timeouts(), priority: RequestPriority = .normal,
    delivery: Delivery = .buffered(upTo: 64 << 20), redirects: RedirectRule = .follow(limit: 20),
    acceptedCodings: [ContentCoding] = [], streamLimit: Int64? = nil
  ) {
    self.timeouts = timeouts
    self.priority = priority
    self.delivery = delivery
    self.redirects = redirects
    self.acceptedCodings = acceptedCodings
    self.streamLimit = streamLimit
  }
}
