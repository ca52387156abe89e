import HTTPTypes
import Interception
import LoopbackServing
import Testing

@testable import URLSessionTransport

@Suite(.timeLimit(.minutes(5)))
struct ShutdownTests {
  @Test("Shutting down fails running and waiting requests, and later ones are refused")
  func shuttingDown() async throws {
    let server = try ScriptedServer(raw: { _, wire in wire.waitForClose() })
    let dispatcher = URLSessionDispatcher(configuration: .init(limits: .init(total: 1)))
    let running = Task { await dispatcher.failure(of: .get(server)) }
    try await server.wait { $0.requests == 1 }
    let waiting = Task { await dispatcher.failure(of: .get(server)) }
    await dispatcher.shutdown()
    let first = await running.value
    #expect(first?.kind == .cancelled(.shutdown))
    #expect(first?.requestMayHaveBeenProcessed == true)
    let second = await waiting.value
    #expect(second?.kind == .cancelled(.shutdown))
    #expect(second?.requestMayHaveBeenProcessed == false)
    #expect(await dispatcher.failure(of: .get(server))?.kind == .cancelled(.shutdown))
    await dispatcher.shutdown()
    #expect(server.counts.requests == 1)
    #expect(dispatcher.owner.liveTransfers == 0)
  }

  @Test("A request that finishes within the grace period gets its response")
  func grace() async throws {
    let gate = Gate()
    let server = try ScriptedServer { _ in
      gate.wait()
      return .text("late")
    }
    let dispatcher = URLSessionDispatcher()
    let running = Task { try await dispatcher.text(of: .get(server)) }
    try await server.wait { $0.requests == 1 }
    let shutdown = Task { await dispatcher.shutdown(grace: .seconds(20)) }
    gate.open()
    #expect(try await running.value == "late")
    await shutdown.value
  }

  @Test("A full queue refuses requests")
  func fullQueue() async throws {
    let server = try ScriptedServer(raw: { _, wire in wire.waitForClose() })
    let dispatcher = URLSessionDispatcher(configuration: .init(limits: .init(total: 1, queue: 0)))
    let running = Task { await dispatcher.failure(of: .get(server)) }
    try await server.wait { $0.requests == 1 }
    let error = await dispatcher.failure(of: .get(server))
    #expect(error?.kind == .queueFull)
    #expect(error?.requestMayHaveBeenProcessed == false)
    running.cancel()
    _ = await running.value
  }

  @Test("The stream of a released dispatcher can be read completely")
  func releasedWhileStreaming() async throws {
    let gate = Gate()
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n")
      gate.wait()
      try wire.send("late")
    })
    let response = try await URLSessionDispatcher().dispatch(
      .get(server) { $0.options.delivery = .streamed })
    gate.open()
    #expect(try await response.body.collect(upTo: 10) == Array("late".utf8))
  }

  @Test("A released dispatcher is deallocated")
  func deallocation() async throws {
    weak var owner: SessionOwner?
    do {
      let server = try ScriptedServer { _ in .text("ok") }
      let dispatcher = URLSessionDispatcher()
      owner = dispatcher.owner
      #expect(try await dispatcher.text(of: .get(server)) == "ok")
      await dispatcher.owner.waitUntilNoTasks()
    }
    #expect(owner == nil)
  }
}
