#if LoopbackTesting
import NIOCore

/// A named position in a connection's pipeline for writing or closing, bypassing the handlers after it.
final class ConnectionTap: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// The position at the socket, below TLS.
  static let socket = "loopback.socket"
  /// The position below HTTP/2 and above TLS.
  static let frames = "loopback.frames"
}
#endif
