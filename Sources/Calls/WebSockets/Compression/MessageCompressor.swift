/// A library that compresses the messages of WebSockets (RFC 7692); the product `WebSocketCompression` has one.
///
/// WebSockets that offer no compression thus need no such library.
package protocol MessageCompressor: Sendable {
  /// Creates a deflater; nil if there is no memory.
  ///
  /// - Parameter minimumLength: The length of the shortest message that is compressed.
  static func makeDeflater(minimumLength: Int) -> (any MessageDeflating)?

  /// Creates an inflater; nil if there is no memory.
  ///
  /// - Parameter retainsContext: Whether a message may refer to earlier ones.
  static func makeInflater(retainsContext: Bool) -> (any MessageInflating)?
}

/// Compresses messages, each by itself (RFC 7692, section 7.2.1), for any number of tasks.
package protocol MessageDeflating: AnyObject, Sendable {
  /// Returns a message without the bytes that the receiver appends; nil if it is to be sent as it is.
  func deflate(_ message: [UInt8]) -> [UInt8]?
}

/// Decompresses the messages of one connection (RFC 7692, section 7.2.2), for one task at a time.
package protocol MessageInflating: AnyObject {
  /// Decompresses a part of a message, and returns what it adds to the message.
  ///
  /// - Parameter limit: The maximum length of the message.
  /// - Throws: ``ProtocolFault`` for malformed data, and for a message that exceeds the limit. The inflater
  ///   must not be used after that.
  func inflate(_ part: ArraySlice<UInt8>, limit: Int) throws(ProtocolFault) -> [UInt8]

  /// Decompresses the rest of a message after its last part.
  func finish(limit: Int) throws(ProtocolFault) -> [UInt8]
}
