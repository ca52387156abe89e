/// Options for sending a request: time limits, priority and delivery.
public struct RequestOptions: Sendable, Hashable {
  /// The time limits of the phases of one attempt, and of the whole call; nil means no limit.
  ///
  /// By default a connection must be made within 10 s, and a transfer that makes no progress ends after 20 s;
  /// one that progresses may take any time. Set ``call`` to limit how long a caller waits.
  public struct Timeouts: Sendable, Hashable {
    /// The wait for a free connection.
    public var queue: Duration?
    /// Name resolution, connection and TLS handshake together; 10 s by default.
    public var connect: Duration?
    /// From the last byte of the request to the first byte of the response; nil, the default, leaves it to
    /// ``idle``.
    ///
    /// An informational response, such as 103, is not the response.
    public var firstByte: Duration?
    /// The maximum time without progress from the request's departure to the last byte of the response, also
    /// before its first byte and within its head; 20 s by default.
    ///
    /// Bytes that are sent or received are progress; a head counts by its lines. The time in which a body
    /// waits for its own source, or for its reader, does not count. Raise it for a server that computes its
    /// response for long.
    public var idle: Duration?
    /// The whole attempt, from the call of the dispatcher to the last byte of the response; nil, the default,
    /// sets no limit for a transfer that progresses.
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
      idle: Duration? = .seconds(20), whole: Duration? = nil, call: Duration? = nil
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
  /// The maximum number of bytes of a streamed response; nil means no limit.
  public var streamLimit: Int64?
  /// How long the request's body waits for the server to agree to it (RFC 9110, section 10.1.1); nil, the
  /// default, sends it at once.
  ///
  /// With a value the request has `Expect: 100-continue` over HTTP/1.1, and its body is sent after a response
  /// of status 100, or after this time. A body that the server refuses, such as with 401 or 413, is then not
  /// transferred; a response of status 417 is delivered without its content. Choose less than
  /// `timeouts.idle`. `CurlDispatcher` obeys it; over HTTP/2, where a
  /// refusal ends only the request's stream, and with other dispatchers the body is sent at once.
  public var continueTimeout: Duration?

  /// Creates options.
  public init(
    timeouts: Timeouts = Timeouts(), priority: RequestOptions.Priority = .normal,
    delivery: Delivery = .buffered(upTo: 64 << 20), streamLimit: Int64? = nil,
    continueTimeout: Duration? = nil
  ) {
    self.timeouts = timeouts
    self.priority = priority
    self.delivery = delivery
    self.streamLimit = streamLimit
    self.continueTimeout = continueTimeout
  }
}

extension RequestOptions {
  /// The priority of a request among those that wait for the same connections.
  public struct Priority: Sendable, Hashable, Comparable {
    /// The weight, 1 to 256, which HTTP/2 sends as the stream's weight.
    package let weight: Int

    /// Creates a priority from a weight, clamped to 1 to 256.
    package init(weight: Int) { self.weight = min(max(weight, 1), 256) }

    /// For prefetching and other work that no user waits for.
    public static let low = Priority(weight: 4)
    /// For the content of a screen; the default.
    public static let normal = Priority(weight: 16)
    /// For requests that the user is waiting for.
    public static let high = Priority(weight: 128)

    /// Whether one priority is lower than another.
    public static func < (left: Priority, right: Priority) -> Bool { left.weight < right.weight }
  }
}
