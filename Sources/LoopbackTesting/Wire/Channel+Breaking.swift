import NIOCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension Channel {
  /// Breaks the connection with a TCP reset: nothing that waits is sent, no TLS farewell either.
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

  /// Writes bytes from a place of the pipeline on.
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
