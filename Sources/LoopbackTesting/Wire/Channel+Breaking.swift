#if LoopbackTesting
import NIOCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension Channel {
  /// Resets the TCP connection, discarding pending data and without a TLS close notification.
  func breakOff() async {
    if let socket = self as? any SocketOptionProvider {
      try? await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
    }
    try? await eventLoop.submit {
      let tap = try self.pipeline.syncOperations.context(name: ConnectionTap.socket)
      tap.close(promise: nil)
    }.get()
    try? await closeFuture.get()
  }

  /// Writes bytes into the pipeline from a named handler onward.
  func write(_ bytes: [UInt8], from place: String) async throws {
    let promise = eventLoop.makePromise(of: Void.self)
    eventLoop.execute {
      do {
        let tap = try self.pipeline.syncOperations.context(name: place)
        tap.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: promise)
      } catch {
        promise.fail(error)
      }
    }
    try await promise.futureResult.get()
  }
}
#endif
