#if LoopbackTesting

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
#endif
