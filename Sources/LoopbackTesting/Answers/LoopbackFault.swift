/// Something that goes wrong at a moment of an exchange; a value, so that a test says when and what in one
/// line.
public struct LoopbackFault: Sendable, Hashable {
  /// When it happens.
  public let moment: LoopbackMoment
  /// What happens.
  public let effect: LoopbackEffect

  /// Places an effect on a moment.
  public init(_ moment: LoopbackMoment, _ effect: LoopbackEffect) {
    self.moment = moment
    self.effect = effect
  }
}

/// A moment of an exchange, in the order in which they come.
public enum LoopbackMoment: String, Sendable, Hashable, CaseIterable {
  /// The request's head has been read, and nothing of its content.
  case requestStart
  /// The first piece of the request's content has been read; never comes where there is none.
  case requestBody
  /// The whole request has been read, and nothing of the answer was sent.
  case responseStart
  /// The head and half of the answer's content were sent.
  case responseBody
  /// All content was sent; the last chunk, or HTTP/2's END_STREAM, was not.
  case responseEnd
}

/// What a loopback server does instead of behaving, or besides.
public enum LoopbackEffect: Sendable, Hashable {
  /// Refuses to act: REFUSED_STREAM over HTTP/2, the end of the connection over HTTP/1.1.
  case refuse
  /// Does nothing more until the client gives up, or the server is stopped.
  case stall
  /// Waits by the server's clock, and goes on.
  case delay(Duration)
  /// Closes the connection in order, with what was sent delivered.
  case close
  /// Breaks the connection with a TCP reset, in the middle of whatever was going on.
  case reset
  /// Ends the stream with RST_STREAM and this error code of RFC 9113, section 7; ``reset`` over HTTP/1.1.
  case resetStream(UInt32)
  /// Sends GOAWAY with an error code, and goes on with this stream, or leaves it unprocessed; ``close`` over
  /// HTTP/1.1.
  case goAway(code: UInt32, processed: Bool)
  /// Sends bytes that belong to no protocol, and goes on.
  case garbage([UInt8])
  /// Sends an informational answer, such as 103, and goes on.
  case informational(Int)
  /// Sends the content slowly, from the answer's start; the moment doesn't matter.
  case slow(LoopbackPace)
  /// Announces another length than the content has; the moment doesn't matter.
  case announceLength(Int64)
}

/// How slowly content is sent: a number of bytes at each tick of the server's clock.
public struct LoopbackPace: Sendable, Hashable {
  /// The bytes of a tick, at least 1.
  public let bytes: Int
  /// The time between two ticks.
  public let tick: Duration

  /// Makes a pace.
  public init(bytes: Int = 1, every tick: Duration) {
    self.bytes = max(bytes, 1)
    self.tick = tick
  }
}
