import CurlTransport
import Interception
import LoopbackServing
import SwitchyardTesting
import Synchronization
import Testing

@testable import WebSockets

/// Slow peers and slow readers.
@Suite("WebSocket back-pressure", .serialized, .timeLimit(.minutes(5)))
struct WebSocketPressureTests {
  private let message = [UInt8](repeating: 0x5A, count: 32 << 10)

  @Test("H5: while no message is read, the server can't send more than a bounded number of bytes")
  func slowReader() async throws {
    let stalledAt = Watched<Int?>(nil)
    let frame = ServerFrame.binary(message).bytes
    let server = try ScriptedServer.switching { peer in
      var bytes: [UInt8] = []
      for _ in 0..<1024 { bytes += frame }
      let sent = try peer.wire.sendUntilStalled(bytes)
      stalledAt.update { $0 = sent }
      try peer.wire.send(Array(bytes[sent...]))
      try peer.send(.close(1000))
      _ = try peer.next()
    }
    let socket = try await WebSocket.connect(Request("ws://\(server.authority)/"), over: CurlDispatcher())
    let sent = try #require(await stalledAt.wait { $0 != nil })
    // The session's 256 KiB, the pipe's 64 KiB, and the system's buffers of both sockets.
    #expect(sent < 16 << 20)
    var count = 0
    for try await received in socket.messages {
      #expect(received == .binary(message))
      count += 1
    }
    #expect(count == 1024)
  }

  @Test("H5: while the server reads nothing, sending waits, and a cancelled message is not sent")
  func slowServer() async throws {
    let gate = Gate()
    let received = Watched<[Int]>([])
    let server = try ScriptedServer.switching { peer in
      gate.wait()
      while let frame = try peer.next() {
        if frame.type == .close { return try peer.send(.close(1000)) }
        received.update { $0.append(frame.payload.count) }
      }
    }
    let socket = try await WebSocket.connect(Request("ws://\(server.authority)/"), over: CurlDispatcher())
    let sent = Watched(0)
    let payload = message
    let sender = Task {
      for _ in 0..<4096 {
        try await socket.send(.binary(payload))
        sent.update { $0 += 1 }
      }
    }
    // The sender is stalled once it has sent nothing during several round trips of another connection.
    let other = try ScriptedServer.echo()
    let clock = try await WebSocket.connect(Request("ws://\(other.authority)/"), over: CurlDispatcher())
    var (previous, repeats) = (-1, 0)
    while repeats < 50 {
      try await clock.ping()
      let current = try await sent.wait { _ in true }
      (previous, repeats) = (current, current == previous && current > 0 ? repeats + 1 : 0)
    }
    #expect(previous < 1024)
    sender.cancel()
    let error = await #expect(throws: WebSocketError.self) { try await sender.value }
    #expect(error?.kind == .cancelled)
    gate.open()
    await socket.close()
    let total = try await sent.wait { _ in true }
    #expect(try await received.wait { _ in true }.count == total)
  }

  @Test("Messages of many tasks arrive whole")
  func manySenders() async throws {
    let server = try ScriptedServer.echo()
    let socket = try await WebSocket.connect(Request("ws://\(server.authority)/"), over: CurlDispatcher())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          let bytes = [UInt8](repeating: UInt8(number), count: 10_000)
          for _ in 0..<20 { try await socket.send(.binary(bytes)) }
        }
      }
      var counts = [UInt8: Int]()
      var iterator = socket.messages.makeAsyncIterator()
      for _ in 0..<400 {
        guard case .binary(let bytes)? = try await iterator.next(), let first = bytes.first else { break }
        #expect(bytes == [UInt8](repeating: first, count: 10_000))
        counts[first, default: 0] += 1
      }
      #expect(counts.count == 20 && counts.values.allSatisfy { $0 == 20 })
      try await group.waitForAll()
    }
    await socket.close()
  }
}
