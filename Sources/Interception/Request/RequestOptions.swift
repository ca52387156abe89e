/// Options for sending a request: time limits, priority, delivery and codings.
public struct RequestOptions: Sendable, Hashable {
  /// The time limits of the phases of one attempt, and of the whole call; nil means no limit.
  public struct Timeouts: Sendable, Hashable {
    /// The wait for a free connection.
    public var queue: Duration?
    /// Name resolution, connection and TLS handshake together; 10 s by default.
    public var connect: Duration?
    /// From the last byte of the request to the first byte of the response.
    public var firstByte: Duration?
    /// The maximum time without a byte of a body being transferred.
    public var idle: Duration?
    /// The whole attempt, from the call of the dispatcher to the last byte of the response; 20 s by default.
    ///
    /// Set it to nil for long downloads.
    public var whole: Duration?
    /// The whole call, with its attempts, redirects and the waits between them, to the last byte of the
    /// response; nil, the default, means that only the attempts are limited.
    ///
    /// A ``Pipeline`` obeys it whatever its interceptors do: it cancels them when the time is over, gives
    /// each attempt what is left, and fails with ``NetworkError/Phase/call``. A dispatcher that is used
    /// without a pipeline applies it to its only attempt.
    public var call: Duration?

    /// Creates time limits.
    public init(
      queue: Duration? = nil, connect: Duration? = .seconds(10), firstByte: Duration? = nil,
      idle: Duration? = nil, whole: Duration? = .seconds(20), call: Duration? = nil
    ) {
      self.queue = queue
      self.connect = connect
      self.firstByte = firstByte
      self.idle = idle
      self.whole = whole
      self.call = call
    }

    /// Returns the limit of a phase.
    package func limit(of phase: NetworkError.Phase) -> Duration? {
      switch phase {
      case .queue: queue
      case .connect: connect
      case .firstByte: firstByte
      case .idle: idle
      case .whole: whole
      case .call: call
      }
    }

    /// The limit that ends an attempt whatever its phase: the shorter one of ``whole`` and ``call``.
    package var overall: (limit: Duration, phase: NetworkError.Phase)? {
      guard let call else { return whole.map { ($0, .whole) } }
      guard let whole, whole <= call else { return (call, .call) }
      return (whole, .whole)
    }
  }

  /// How a response's body is delivered to the caller.
  public enum Delivery: Sendable, Hashable {
    /// As bytes, when it is complete; a longer body fails with ``NetworkError/Kind/bodyTooLarge(limit:)``.
    case buffered(upTo: Int)
    /// As a ``BodyStream``, when the head has been received.
    case streamed
  }

  /// The time limits for the phases.
  public var timeouts: Timeouts
  /// The priority among requests that wait for the same connections.
  public var priority: RequestOptions.Priority
  /// How the response's body is delivered; by default as at most 64 MiB of bytes.
  public var delivery: Delivery
  /// The content codings to request; none if empty.
  ///
  /// The dispatcher decodes the codings that it requested.
  public var acceptedCodings: [ContentCoding]
  /// The maximum number of decoded bytes of a streamed response; nil means no limit.
  public var streamLimit: Int64?

  /// Creates options.
  public init(
    timeouts: Timeouts = Timeouts(), priority: RequestOptions.Priority = .normal,
    delivery: Delivery = .buffered(upTo: 64 << 20), acceptedCodings: [ContentCoding] = [],
    streamLimit: Int64? = nil
  ) {
    self.timeouts = timeouts
    self.priority = priority
    self.delivery = delivery
    self.acceptedCodings = acceptedCodings
    self.streamLimit = streamLimit
  }
}
