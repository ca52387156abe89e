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

  private let blocks: HeaderBlocks?

  /// Creates a position; with `blocks`, what arrives at it is read as HTTP/2 frames.
  init(reading blocks: HeaderBlocks? = nil) { self.blocks = blocks }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    blocks?.read(unwrapInboundIn(data).readableBytesView)
    context.fireChannelRead(data)
  }
}
#endif
