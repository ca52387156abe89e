import HTTPTypes
import Interception
import LoopbackServing
import SwitchyardTesting
import Synchronization
import Testing

@testable import URLSessionTransport

@Suite(.timeLimit(.minutes(5)))
struct StreamingTests {
  struct NotStreamed: Error {}

  private func streamed(_ server: ScriptedServer, _ path: String = "/") -> Request {
    .get(server, path) { $0.options.delivery = .streamed }
  }

  private func stream(_ response: Response) throws -> BodyStream {
    guard case .stream(let stream) = response.body else { throw NotStreamed() }
    return stream
  }

  @Test("The head arrives before the body, and the body arrives complete")
  func headFirst() async throws {
    let gate = Gate()
    let size = 4 << 20
    let sent = (0..<size).map { UInt8(truncatingIfNeeded: $0 % 251) }
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
      gate.wait()
      try wire.send(sent)
    })
    let dispatcher = URLSessionDispatcher()
    let response = try await dispatcher.dispatch(streamed(server))
    #expect(response.body.length == Int64(size))
    gate.open()
    let stream = try stream(response)
    var bytes: [UInt8] = []
    for try await chunk in stream { bytes += chunk }
    #expect(bytes.count == size)
    #expect(bytes == sent)
    #expect(stream.ending.transport?.bytes.decoded == Int64(size))
  }

  @Test("A stream without content ends immediately")
  func emptyStream() async throws {
    let server = try ScriptedServer { _ in ScriptedReply(status: 204) }
    let response = try await URLSessionDispatcher().dispatch(streamed(server))
    #expect(response.body.length == 0)
    #expect(try await response.body.collect(upTo: 0) == [])
  }

  @Test("A released stream frees its connection and its place")
  func releasedStream() async throws {
    let dispatcher = URLSessionDispatcher(configuration: .init(limits: .init(total: 1)))
    let server = try ScriptedServer(raw: { request, wire in
      try wire.send("HTTP/1.1 200 OK\r\n\r\n")
      guard request.target == "/large" else { return }
      // Finite, because Foundation handles all received data before it handles the task's cancellation.
      for _ in 0..<256 { try wire.send([UInt8](repeating: 1, count: 16 << 10)) }
      wire.waitForClose()
    })
    do { _ = try await dispatcher.dispatch(streamed(server, "/large")) }
    #expect(try await dispatcher.dispatch(.get(server)).status == .ok)
    try await server.wait { $0.closed >= 1 }
    await dispatcher.shutdown(grace: .seconds(10))
    #expect(dispatcher.owner.liveTransfers == 0)
  }

  @Test("The limit of a streamed response applies while it is received")
  func streamLimit() async throws {
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 200 OK\r\n\r\n")
      for _ in 0..<400 { try wire.send([UInt8](repeating: 1, count: 10_000)) }
      wire.waitForClose()
    })
    var request = streamed(server)
    request.options.streamLimit = 1_000_000
    let response = try await URLSessionDispatcher().dispatch(request)
    var error: NetworkError?
    do throws(NetworkError) { _ = try await response.body.collect(upTo: .max) } catch let failure {
      error = failure
    }
    #expect(error?.kind == .bodyTooLarge(limit: 1_000_000))
    try await server.wait { $0.closed == 1 }
  }

  #if !canImport(Darwin)
  @Test("A reader that is too slow gets an error, and memory stays limited")
  func slowReader() async throws {
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 200 OK\r\n\r\n")
      for _ in 0..<256 { try wire.send([UInt8](repeating: 1, count: 16 << 10)) }
      wire.waitForClose()
    })
    let dispatcher = URLSessionDispatcher(configuration: .init(unreadLimit: 256 << 10))
    let plan = try RequestPlan(streamed(server), userAgent: nil, behavior: .current)
    let transfer = Transfer(
      plan: plan, owner: dispatcher.owner, handedOver: dispatcher.owner.time.now())
    let response = try await transfer.run()
    // The content is not read until the transfer has failed.
    try await server.wait { $0.closed == 1 }
    let source = try stream(response).claim()
    var count = 0
    var error: NetworkError?
    do throws(NetworkError) {
      while let chunk = try await source.read() { count += chunk.count }
    } catch let failure {
      error = failure
    }
    #expect(error?.kind == .bodyTooLarge(limit: 256 << 10))
    #expect(error?.reason.contains("unreadLimit") == true)
    #expect(count > 0)
    #expect(transfer.state.withLock { $0.phase.response?.peak ?? .max } <= (256 << 10) + (64 << 10))
  }
  #endif

  @Test("A body that is produced in chunks is sent complete, with its length")
  func producedBody() async throws {
    let server = try ScriptedServer { .text($0.text) }
    let body = RequestBody.once(length: nil, ScriptedByteSource([[0x61], [0x62, 0x63]]))
    #expect(try await URLSessionDispatcher().text(of: .post(server, body: body)) == "abc")
    #expect(server.requests.first?.value(of: "Content-Length") == "3")
    #expect(server.requests.first?.value(of: "Transfer-Encoding") == nil)
  }

  @Test("A failing body, a wrong length and a second use fail the request before anything is sent")
  func failingBodies() async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    let dispatcher = URLSessionDispatcher()
    let broken = RequestBody.once(
      length: nil, ScriptedByteSource([[1]], endingWith: NetworkError(.rejected, "The disk is gone.")))
    #expect(await dispatcher.failure(of: .post(server, body: broken))?.kind == .rejected)
    let short = RequestBody.once(length: 3, ScriptedByteSource([[1]]))
    #expect(await dispatcher.failure(of: .post(server, body: short))?.kind == .invalidRequest)
    let again = await dispatcher.failure(of: .post(server, body: short))
    #expect(again?.kind == .bodyNotReplayable)
    #expect(again?.requestMayHaveBeenProcessed == false)
    #expect(server.counts.accepted == 0)
  }
}
