import FlyingSocks
import Foundation

/// A pool of sockets that send what is written at once (TCP_NODELAY).
///
/// FlyingFox 0.27.1 writes the head and the body of a response apart, without that option. The body is then
/// held back until the client has acknowledged the head, which takes 40 ms on Linux. Delete this when
/// FlyingFox sets the option, or writes a small response at once.
struct PromptSocketPool<Base: AsyncSocketPool>: AsyncSocketPool {
  let base: Base

  func prepare() async throws { try await base.prepare() }

  func run() async throws { try await base.run() }

  func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    // Connections have it from the listening socket on Linux; elsewhere each is set before its first
    // response. An error means that the connection has ended, which the pool notices.
    try? socket.setValue(true, for: BoolSocketOption(level: CInt(IPPROTO_TCP), name: TCP_NODELAY))
    try await base.suspendSocket(socket, untilReadyFor: events)
  }
}
