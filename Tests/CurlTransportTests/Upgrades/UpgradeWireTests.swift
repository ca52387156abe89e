import HTTPTypes
import Interception
import LoopbackServing
import SwitchyardTesting
import Synchronization
import Testing

@testable import CurlTransport

/// Connections that are switched to a protocol of the test, over the wire.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct UpgradeWireTests {
  private static let head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: test\r\nConnection: Upgrade\r\n\r\n"

  private func request(_ server: ScriptedServer) throws -> Request {
    var request = try Request("http://\(server.authority)/")
    request.context.upgrade = "test"
    return request
  }

  private func connection(
    to server: ScriptedServer, over dispatcher: CurlDispatcher
  ) async throws -> any UpgradedConnection {
    let response = try await dispatcher.dispatch(request(server))
    #expect(response.status.code == 101 && response.exchange.transport?.connectionWasReused == false)
    return try #require(response.connection)
  }

  private func bytes(of connection: any UpgradedConnection, _ count: Int) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count, let more = try await connection.read() { bytes += more }
    return bytes
  }

  /// Starts a server that sends every byte back.
  private func echo() throws -> ScriptedServer {
    try ScriptedServer(raw: { _, wire in
      try wire.send(Self.head)
      while let bytes = try wire.read() { try wire.send(bytes) }
    })
  }

  @Test("Bytes pass in both directions beside ordinary requests of the same dispatcher")
  func bothDirections() async throws {
    let server = try echo()
    let other = try ScriptedServer { _ in .text("ordinary") }
    let dispatcher = CurlDispatcher()
    let connection = try await connection(to: server, over: dispatcher)
    let sent = (0..<500_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    async let received = bytes(of: connection, sent.count)
    for start in stride(from: 0, to: sent.count, by: 50_000) {
      try await connection.write(Array(sent[start..<(start + 50_000)]))
      let response = try await dispatcher.dispatch(Request("http://\(other.authority)/"))
      #expect(response.status == .ok)
    }
    #expect(try await received == sent)
  }

  @Test("Hundreds of connections, closed by either side, leave no descriptor")
  func descriptors() async throws {
    let server = try echo()
    let dispatcher = CurlDispatcher()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          let connection = try await connection(to: server, over: dispatcher)
          try await connection.write([UInt8(truncatingIfNeeded: number)])
          #expect(try await bytes(of: connection, 1) == [UInt8(truncatingIfNeeded: number)])
          if number.isMultiple(of: 2) { connection.close() }
        }
      }
      try await group.waitForAll()
    }
    try await server.wait { $0.closed == 200 }
    let census = await dispatcher.owner.census()
    #expect(census.sockets == 0 && census.transfers == 0 && census.running == 0)
    #expect(OpenSockets.count(to: server.port) == 0)
  }

  @Test("Bytes that were written before a close arrive, and a peer that reads none holds it up for a second")
  func lingering() async throws {
    let received = Watched(0)
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send(Self.head)
      while let bytes = try wire.read() { received.update { $0 += bytes.count } }
      received.update { $0 += 1 }
    })
    let dispatcher = CurlDispatcher()
    let connection = try await connection(to: server, over: dispatcher)
    try await connection.write([UInt8](repeating: 1, count: 60_000))
    connection.close()
    #expect(try await received.wait { $0 == 60_001 } == 60_001)

    let gate = Gate()
    let deaf = try ScriptedServer(raw: { _, wire in
      try wire.send(Self.head)
      gate.wait()
      wire.waitForClose()
    })
    let stuck = try await self.connection(to: deaf, over: dispatcher)
    let written = Watched(0)
    let writer = Task {
      while true {
        try await stuck.write([UInt8](repeating: 1, count: 60_000))
        written.update { $0 += 1 }
      }
    }
    // The buffers are full once nothing was written during many rounds of the loop.
    var (latest, rounds) = (0, 0)
    try await waitUntil("nothing more is written") {
      _ = await dispatcher.owner.census()
      let count = try await written.wait { _ in true }
      (latest, rounds) = (count, count == latest && count > 0 ? rounds + 1 : 0)
      return rounds == 1000
    }
    stuck.close()
    let error = await #expect(throws: NetworkError.self) { try await writer.value }
    #expect(error?.kind == .transport)
    try await waitUntil("the connection is closed") {
      _ = await dispatcher.owner.census()
      return OpenSockets.count(to: deaf.port) == 0
    }
    gate.open()
    try await deaf.wait { $0.closed == 1 }
  }

  @Test("The peer's end is reported behind its last bytes")
  func halfClosed() async throws {
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send(Self.head + "last words")
    })
    let connection = try await connection(to: server, over: CurlDispatcher())
    #expect(try await bytes(of: connection, .max) == Array("last words".utf8))
    #expect(try await connection.read() == nil)
    connection.close()
  }

  @Test("The release of a dispatcher does not end its connections, and that of the last one ends its thread")
  func ownership() async throws {
    let server = try echo()
    var dispatcher: CurlDispatcher? = CurlDispatcher()
    weak let owner = dispatcher?.owner
    var connection: (any UpgradedConnection)? = try await connection(to: server, over: #require(dispatcher))
    dispatcher = nil
    try await connection?.write([7])
    #expect(try await connection?.read() == [7])
    connection = nil
    try await server.wait { $0.closed == 1 }
    try await waitUntil("the dispatcher's owner is released") { owner == nil }
  }

  @Test("Of a race for a connection only the first entry asks for the upgrade")
  func race() async throws {
    let server = try echo()
    let dispatcher = CurlDispatcher()
    let race = ConnectRace()
    var first = try request(server)
    first.context.raceEntry = race.entry(0)
    let response = try await dispatcher.dispatch(first)
    var second = try request(server)
    second.context.raceEntry = race.entry(1)
    let error = await #expect(throws: NetworkError.self) { _ = try await dispatcher.dispatch(second) }
    #expect(error?.underlying(as: ConnectRace.Overtaken.self) != nil && server.requests.count == 1)
    try await response.connection?.write([1])
    #expect(try await response.connection?.read() == [1])
  }

  @Test("A reader that is cancelled gets an error, and the connection stays open")
  func cancellation() async throws {
    let server = try echo()
    let connection = try await connection(to: server, over: CurlDispatcher())
    let reader = Task { try await connection.read() }
    reader.cancel()
    let error = await #expect(throws: NetworkError.self) { _ = try await reader.value }
    #expect(error?.kind == .cancelled(.task))
    try await connection.write([1, 2])
    #expect(try await bytes(of: connection, 2) == [1, 2])
  }
}
