#if LoopbackTesting

/// A moment of an exchange, in chronological order.
public enum LoopbackMoment: Sendable, Hashable {
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
#endif
