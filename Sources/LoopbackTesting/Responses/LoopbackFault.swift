#if LoopbackTesting
/// A fault at a moment of an exchange; a value, so that a test can state it in one line.
public struct LoopbackFault: Sendable, Hashable {
  /// The moment of the fault.
  public let moment: LoopbackMoment
  /// The effect of the fault.
  public let effect: LoopbackEffect

  /// Creates a fault.
  public init(_ moment: LoopbackMoment, _ effect: LoopbackEffect) {
    self.moment = moment
    self.effect = effect
  }
}

/// A moment of an exchange, in chronological order.
public enum LoopbackMoment: String, Sendable, Hashable, CaseIterable {
  /// The request head has been read, but none of its content.
  case requestStart
  /// The first part of the request's content has been read; does not occur without content.
  case requestBody
  /// The whole request has been read, and nothing of the response has been sent.
  case responseStart
  /// The head and half of the response's content have been sent.
  case responseBody
  /// All content has been sent, but not the last chunk or HTTP/2's END_STREAM.
  case responseEnd
}

/// What a loopback server does instead of, or in addition to, its regular behavior.
public enum LoopbackEffect: Sendable, Hashable {
  /// Refuses the request: REFUSED_STREAM over HTTP/2, a connection reset over HTTP/1.1.
  case refuse
  /// Stops until the client gives up or the server is stopped.
  case stall
  /// Waits for a duration of the server's clock and continues.
  case delay(Duration)
  /// Closes the connection gracefully, after the data written so far.
  case close
  /// Resets the TCP connection immediately.
  case reset
  /// Ends the stream with RST_STREAM and an error code of RFC 9113, section 7; like ``reset`` over HTTP/1.1.
  case resetStream(UInt32)
  /// Sends GOAWAY with an error code, and continues this stream or leaves it unprocessed; like ``close`` over
  /// HTTP/1.1.
  case goAway(code: UInt32, processed: Bool)
  /// Sends bytes that are not part of any protocol, and continues.
  case garbage([UInt8])
  /// Sends an informational response, such as 103, and continues.
  case informational(Int)
  /// Sends the content slowly, from the start of the response; the moment is ignored.
  case slow(LoopbackPace)
  /// Announces a length that differs from the content's; the moment is ignored.
  case announceLength(Int64)
}

/// A rate for sending content: a number of bytes per tick of the server's clock.
public struct LoopbackPace: Sendable, Hashable {
  /// The number of bytes per tick; at least 1.
  public let bytes: Int
  /// The time between two ticks.
  public let tick: Duration

  /// Creates a pace.
  public init(bytes: Int = 1, every tick: Duration) {
    self.bytes = max(bytes, 1)
    self.tick = tick
  }
}
#endif
