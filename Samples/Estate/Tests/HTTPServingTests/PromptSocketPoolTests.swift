import FlyingSocks
import Foundation
import Testing

@testable import HTTPServing

@Suite("A pool of sockets that send at once")
struct PromptSocketPoolTests {
  /// A pool that never waits.
  private struct IdlePool: AsyncSocketPool {
    func prepare() {}
    func run() {}
    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) {}
  }

  @Test("A socket that is waited for no longer holds back small segments")
  func option() async throws {
    let socket = try Socket(domain: AF_INET)
    defer { try? socket.close() }
    let option = BoolSocketOption(level: CInt(IPPROTO_TCP), name: TCP_NODELAY)
    #expect(try !socket.getValue(for: option))
    try await PromptSocketPool(base: IdlePool()).suspendSocket(socket, untilReadyFor: .read)
    #expect(try socket.getValue(for: option))
  }
}
