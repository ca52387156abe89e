import HTTPTypes
import Interception
import LoopbackServing
import Testing
import URLSessionTransport

@Suite(.timeLimit(.minutes(5)))
struct TimeoutTests {
  static let limit = Duration.milliseconds(150)
  let dispatcher = URLSessionDispatcher(configuration: .init(limits: .init(total: 1)))

  private func check(_ error: NetworkError?, _ phase: NetworkError.Phase, processed: Bool) throws {
    let error = try #require(error)
    #expect(error.kind == .timeout(phase))
    #expect(error.reason.contains("127.0.0.1"))
    #expect(error.reason.contains("150 ms"))
    #expect(error.reason.contains("timeouts.\(phase)"))
    #expect(!error.reason.contains("secret"))
    #expect(error.requestMayHaveBeenProcessed == processed)
  }

  @Test(
    "The time in the queue is limited, by itself and as part of the whole",
    arguments: [NetworkError.Phase.queue, .whole])
  func queue(phase: NetworkError.Phase) async throws {
    let server = try ScriptedServer(raw: { _, wire in wire.waitForClose() })
    let first = Task { [dispatcher] in await dispatcher.failure(of: .get(server)) }
    try await server.wait { $0.requests == 1 }
    let second = Request.get(server, "/?secret") {
      if phase == .queue {
        $0.options.timeouts.queue = Self.limit
      } else {
        $0.options.timeouts.whole = Self.limit
      }
    }
    try check(await dispatcher.failure(of: second), phase, processed: false)
    first.cancel()
    #expect(await first.value?.kind == .cancelled(.task))
    #expect(server.counts.requests == 1)
  }

  @Test(
    "The time to the first byte is limited, by itself and as part of the whole",
    arguments: [NetworkError.Phase.firstByte, .whole])
  func firstByte(phase: NetworkError.Phase) async throws {
    let server = try ScriptedServer(raw: { _, wire in wire.waitForClose() })
    let request = Request.get(server, "/?secret") {
      if phase == .firstByte {
        $0.options.timeouts.firstByte = Self.limit
      } else {
        $0.options.timeouts.whole = Self.limit
      }
    }
    try check(await dispatcher.failure(of: request), phase, processed: true)
    try await server.wait { $0.closed == 1 }
  }

  @Test(
    "The idle time within a body is limited",
    arguments: [RequestOptions.Delivery.streamed, .buffered(upTo: 100)])
  func idle(delivery: RequestOptions.Delivery) async throws {
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
      wire.waitForClose()
    })
    let request = Request.get(server, "/?secret") {
      $0.options.timeouts.idle = Self.limit
      $0.options.delivery = delivery
    }
    try check(await dispatcher.failure(of: request), .idle, processed: true)
    try await server.wait { $0.closed == 1 }
  }

  @Test(
    "A hanging connection attempt is a first-byte timeout, because Foundation does not report connections")
  func hangingConnection() async throws {
    let hole = try BlackHole()
    var request = Request(scheme: "http", authority: "127.0.0.1:\(hole.port)", path: "/?secret")
    request.options.timeouts.firstByte = Self.limit
    try check(await dispatcher.failure(of: request), .firstByte, processed: true)
  }
}
