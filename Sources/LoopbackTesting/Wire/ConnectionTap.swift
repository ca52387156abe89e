import NIOCore

/// A place in a connection's pipeline to write to, or to close from, past the handlers behind it.
final class ConnectionTap: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// The place at the socket, beneath TLS.
  static let socket = "loopback.socket"
  /// The place beneath HTTP/2 and above TLS.
  static let frames = "loopback.frames"
}
