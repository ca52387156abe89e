import HTTPTypes
import Interception
import LoopbackServing
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.minutes(5)))
struct ShutdownTests {
  @Test("Running requests may finish within the grace, later ones are refused")
  func grace() async throws {
    let dispatcher = CurlDispatcher()
    let gate = Gate()
    let server = try ScriptedServer { request in
      if request.target == "/slow" { gate.wait() }
      return .text("ok")
    }
    let slow = Task { try await dispatcher.dispatch(.get(server, "/slow")) }
    try await server.wait { $0.requests == 1 }
    let end = Task { await dispatcher.shutdown(grace: .seconds(30)) }
    var refusal: NetworkError?
    while refusal == nil {
      refusal = await failure { () throws(NetworkError) in try await dispatcher.dispatch(.get(server)) }
    }
    #expect(refusal?.kind == .cancelled(.shutdown))
    #expect(refusal?.requestMayHaveBeenProcessed == false)
    gate.open()
    #expect(try await slow.value.status == .ok)
    await end.value
    await dispatcher.shutdown()
  }

  @Test("A dispatcher that runs as a service shuts down with its grace when its task is cancelled")
  func service() async throws {
    let dispatcher = CurlDispatcher()
    let gate = Gate()
    let server = try ScriptedServer { request in
      if request.target == "/slow" { gate.wait() }
      return .text("ok")
    }
    let service = Task { await dispatcher.run(grace: .seconds(30)) }
    let slow = Task { try await dispatcher.dispatch(.get(server, "/slow")) }
    try await server.wait { $0.requests == 1 }
    service.cancel()
    var refusal: NetworkError?
    while refusal == nil {
      refusal = await failure { () throws(NetworkError) in try await dispatcher.dispatch(.get(server)) }
    }
    #expect(refusal?.kind == .cancelled(.shutdown))
    gate.open()
    #expect(try await slow.value.status == .ok)
    await service.value
  }

  @Test("Without a grace, waiting and running requests end as shut down")
  func noGrace() async throws {
    let dispatcher = CurlDispatcher(configuration: .init(limits: .init(total: 1)))
    let server = try ScriptedServer(raw: { _, wire in wire.waitForClose() })
    let running = Task {
      await failure { () throws(NetworkError) in try await dispatcher.dispatch(.get(server)) }
    }
    try await server.wait { $0.requests == 1 }
    let waiting = Task {
      await failure { () throws(NetworkError) in try await dispatcher.dispatch(.get(server)) }
    }
    await dispatcher.shutdown()
    #expect(await running.value?.kind == .cancelled(.shutdown))
    #expect(await waiting.value?.kind == .cancelled(.shutdown))
    #expect(server.counts.requests == 1)
    let late = await failure { () throws(NetworkError) in try await dispatcher.dispatch(.get(server)) }
    #expect(late?.kind == .cancelled(.shutdown))
  }

  @Test("A stream that is being read ends with the grace")
  func streamAndGrace() async throws {
    let dispatcher = CurlDispatcher()
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
      wire.waitForClose()
    })
    let response = try await dispatcher.dispatch(
      Request.get(server).with { $0.options.delivery = .streamed })
    await dispatcher.shutdown(grace: .milliseconds(50))
    let error = await failure { () throws(NetworkError) in try await response.body.collect(upTo: 100) }
    #expect(error?.kind == .cancelled(.shutdown))
  }

  @Test("Releasing a dispatcher ends its thread")
  func released() async throws {
    var dispatcher: CurlDispatcher? = CurlDispatcher()
    let mailbox = try #require(dispatcher).owner.mailbox
    let server = try ScriptedServer { _ in .text("ok") }
    _ = try await dispatcher?.dispatch(.get(server))
    dispatcher = nil
    await mailbox.waitUntilEnded()
    #expect(!mailbox.post(.cancel(TransferID(number: 1))))
    try await server.wait { $0.closed == 1 }
  }

  @Test("A stream outlives its dispatcher, and the thread ends with the last of them")
  func streamOutlives() async throws {
    var dispatcher: CurlDispatcher? = CurlDispatcher()
    let mailbox = try #require(dispatcher).owner.mailbox
    let gate = Gate()
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
      gate.wait()
      try wire.send("half")
    })
    do {
      let response = try #require(
        try await dispatcher?.dispatch(Request.get(server).with { $0.options.delivery = .streamed }))
      dispatcher = nil
      gate.open()
      #expect(try await response.body.collect(upTo: 8) == Array("halfhalf".utf8))
    }
    await mailbox.waitUntilEnded()
  }

  @Test("Many dispatchers can be created and released")
  func manyDispatchers() async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    for _ in 0..<50 {
      let dispatcher = CurlDispatcher()
      #expect(try await dispatcher.dispatch(.get(server)).status == .ok)
      await dispatcher.shutdown()
    }
  }
}
