import HTTPTypes
import Interception
import LoopbackServing
import SwitchyardTesting
import Testing

@testable import CurlTransport

/// Servers that send nothing, or one byte at a time.
@Suite(.timeLimit(.minutes(5)))
struct SlowServerTests {
  /// Sends bytes one at a time, `pace` seconds apart, until the peer closes.
  private static func drip(_ text: String, _ wire: WireConnection, pace: Double = 0.05) throws {
    let never = Gate()
    for byte in text.utf8 {
      try wire.send([byte])
      never.wait(upTo: pace)
    }
    wire.waitForClose()
  }

  @Test("E3: A response of one byte at a time reaches the whole limit")
  func slowBody() async throws {
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
      try Self.drip(String(repeating: "x", count: 1000), wire)
    })
    let dispatcher = CurlDispatcher()
    let request = Request.get(server).with {
      $0.options.timeouts = .init(idle: .seconds(5), whole: .milliseconds(400))
    }
    let began = ContinuousClock.now
    let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
    #expect(error?.kind == .timeout(.whole))
    #expect(error?.requestMayHaveBeenProcessed == true)
    #expect(ContinuousClock.now - began >= .milliseconds(400))
    try await server.wait { $0.closed == 1 }
    #expect(await dispatcher.census().isEmpty)
  }

  @Test("E3: A head of one byte at a time reaches the limit of the first byte")
  func slowHead() async throws {
    let server = try ScriptedServer(raw: { _, wire in
      try Self.drip("HTTP/1.1 200 " + String(repeating: "O", count: 1000), wire)
    })
    let request = Request.get(server).with { $0.options.timeouts.firstByte = .milliseconds(300) }
    let dispatcher = CurlDispatcher()
    let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
    #expect(error?.kind == .timeout(.firstByte))
    try await server.wait { $0.closed == 1 }
  }

  @Test("E3: Informational responses do not extend the whole limit")
  func informational() async throws {
    let server = try ScriptedServer(raw: { _, wire in
      let never = Gate()
      while true {
        try wire.send("HTTP/1.1 103 Early Hints\r\n\r\n")
        never.wait(upTo: 0.02)
      }
    })
    let request = Request.get(server).with { $0.options.timeouts.whole = .milliseconds(300) }
    let dispatcher = CurlDispatcher()
    let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
    #expect(error?.kind == .timeout(.whole))
    try await server.wait { $0.closed == 1 }
  }

  @Test("E3: A request without limits of its own times out after twenty seconds of silence")
  func defaultLimit() async throws {
    let server = try ScriptedServer(raw: { _, wire in wire.waitForClose() })
    let clock = TestClock()
    let dispatcher = CurlDispatcher(configuration: .init(), time: TimeSource(clock))
    let load = Task {
      await failure { () throws(NetworkError) in try await dispatcher.dispatch(.get(server)) }
    }
    try await server.wait { $0.requests == 1 }
    clock.advance(by: .seconds(20) - .milliseconds(1))
    // The census makes the thread look at the clock; the second one sees what it did.
    for _ in 1...2 { #expect(await dispatcher.census().running == 1) }
    clock.advance(by: .milliseconds(1))
    _ = await dispatcher.census()
    let error = await load.value
    #expect(error?.kind == .timeout(.idle))
    #expect(error?.label == "timeout_idle")
    #expect(error?.reason.contains("20 s") == true)
    try await server.wait { $0.closed == 1 }
  }

  @Test("E3: A response that arrives steadily for longer than every default limit is complete")
  func steadyResponse() async throws {
    let gates = (0..<22).map { _ in Gate() }
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 22000\r\n\r\n")
      for gate in gates {
        gate.wait()
        try wire.send([UInt8](repeating: 7, count: 1000))
      }
    })
    let clock = TestClock()
    let dispatcher = CurlDispatcher(configuration: .init(), time: TimeSource(clock))
    let response = try await dispatcher.dispatch(.get(server).with { $0.options.delivery = .streamed })
    guard case .stream(let stream) = response.body else { throw StreamingTests.NotStreamed() }
    var chunks = stream.makeAsyncIterator()
    var count = 0
    for (number, gate) in gates.enumerated() {
      clock.advance(by: .seconds(1))
      // The census makes the thread look at the clock; the second one sees what it did.
      for _ in 1...2 { #expect(await dispatcher.census().streams == 1) }
      gate.open()
      while count < (number + 1) * 1000, let chunk = try await chunks.next() { count += chunk.count }
    }
    #expect(count == 22_000)
    #expect(try await chunks.next() == nil)
    #expect(server.counts.requests == 1)
  }

  @Test("A server that accepts and closes causes a transport error, and nothing is sent again")
  func acceptAndClose() async throws {
    let server = try ScriptedServer(raw: { _, _ in })
    let dispatcher = CurlDispatcher()
    for method in [HTTPRequest.Method.get, .post] {
      let request = Request(method: method, scheme: "http", authority: server.authority, path: "/")
      let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
      #expect(error?.kind == .transport)
    }
    #expect(server.counts.requests == 2)
  }

  @Test("A reset within an upload ends it and releases its source")
  func resetUpload() async throws {
    let server = try ScriptedServer(raw: { request, wire in
      try wire.readBody(of: request) { _ in
        wire.reset()
        throw WireConnection.Closed()
      }
    })
    let dispatcher = CurlDispatcher()
    weak var source: PatternSource?
    do {
      let body = PatternSource(length: 64 << 20)
      source = body
      let request = Request(
        method: .put, scheme: "http", authority: server.authority, path: "/",
        body: .once(length: 64 << 20, body)
      ).with { $0.options.timeouts.whole = .seconds(120) }
      let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
      #expect(error?.kind == .transport)
      #expect(error?.requestMayHaveBeenProcessed == true)
    }
    try await waitUntil("the source is released") { source == nil }
    #expect(await dispatcher.census().isEmpty)
  }

  @Test("A response before an upload's end releases the source, and the connection is not reused")
  func earlyResponse() async throws {
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n")
      wire.waitForClose()
    })
    let dispatcher = CurlDispatcher()
    weak var source: PatternSource?
    do {
      let body = PatternSource(length: 64 << 20)
      source = body
      let request = Request(
        method: .put, scheme: "http", authority: server.authority, path: "/",
        body: .once(length: 64 << 20, body)
      ).with { $0.options.timeouts.whole = .seconds(120) }
      #expect(try await dispatcher.dispatch(request).status.code == 413)
    }
    try await server.wait { $0.closed == 1 }
    try await waitUntil("the source is released") { source == nil }
  }

  @Test("A refusal that stalls within its body ends by the idle limit, while the upload waits")
  func stalledRefusal() async throws {
    let gate = Gate()
    let server = try ScriptedServer(raw: { _, wire in
      gate.wait()
      try wire.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 10\r\n\r\npart")
      wire.waitForClose()
    })
    let source = HaltingSource()
    let request = Request(
      method: .put, scheme: "http", authority: server.authority, path: "/",
      body: .once(length: HaltingSource.length, source)
    ).with {
      $0.options.timeouts.idle = .milliseconds(150)
      $0.options.timeouts.whole = .seconds(30)
    }
    let dispatcher = CurlDispatcher()
    let load = Task { await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) } }
    await source.waitUntilHalted()
    gate.open()
    let error = await load.value
    #expect(error?.kind == .timeout(.idle))
    #expect(error?.requestMayHaveBeenProcessed == true)
    source.goOn()
  }
}
