public import WebSockets

extension WebSocketConfiguration.Compression {
  /// Creates the default compression, by zlib.
  public init() { self.init(by: ZlibMessageCompressor.self) }
}

/// zlib, with one state per connection and direction.
enum ZlibMessageCompressor: MessageCompressor {
  static func makeDeflater(minimumLength: Int) -> (any MessageDeflating)? {
    MessageDeflater(minimumLength: minimumLength)
  }

  static func makeInflater(retainsContext: Bool) -> (any MessageInflating)? {
    MessageInflater(retainsContext: retainsContext)
  }
}
