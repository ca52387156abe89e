/// A message: a text, or bytes.
public enum WebSocketMessage: Sendable, Hashable {
  /// A text, sent as UTF-8.
  case text(String)
  /// Bytes.
  case binary([UInt8])
}
