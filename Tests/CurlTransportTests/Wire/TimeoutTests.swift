import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TimeoutTests {
  static let limit = Duration.milliseconds(150)
  let dispatcher = CurlDispatcher(configuration: .init(limits: .init(total: 1)))

  private func check(
    _ error: NetworkError?, _ phase: NetworkError.Phase, host: String, processed: Bool,
    option: String? = nil
  ) throws {
    let error = try #require(error)
    #expect(error.kind == .timeout(phase))
    #expect(error.reason.contains(host))
    #expect(error.reason.contains("150 ms"))
    #expect(error.reason.contains(option ?? "timeouts.\(phase)"))
    #expect(!error.reason.contains("secret"))
    #expect(error.requestMayHaveBeenProcessed == processed)
  }

  @Test("E3: The wait in the queue is limited")
  func queue() async throws {
    let server = try ScriptedServer(raw: { _, wire in wire.waitForClose() })
    let first = Task { [dispatcher] in try await dispatcher.dispatch(.get(server)) }
    try await server.wait { $0.requests == 1 }
    let second = Request.get(server, "/?secret").with { $0.options.timeouts.queue = Self.limit }
    try check(
      await failure { () throws(NetworkError) in try await dispatcher.dispatch(second) }, .queue,
      host: server.authority, processed: false)
    first.cancel()
    _ = await first.result
    #expect(server.counts.requests == 1)
  }

  @Test("E3: The time to connect is limited")
  func connect() async throws {
    let hole = try BlackHole()
    let request = Request(scheme: "http", authority: "127.0.0.1:\(hole.port)", path: "/?secret").with {
      $0.options.timeouts.connect = Self.limit
    }
    try check(
      await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }, .connect,
      host: "127.0.0.1:\(hole.port)", processed: false)
  }

  @Test("E3: The time to replace a dead connection is limited")
  func reconnect() async throws {
    let gate = Gate()
    let server = try ScriptedServer(raw: { request, wire in
      guard request.target == "/?secret" else {
        gate.wait()
        try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        return wire.stayOpen()
      }
      wire.waitForClose()
    })
    let request = { @Sendable (path: String) in
      Request.get(server, path).with { $0.options.timeouts = .init(connect: Self.limit) }
    }
    let first = Task { [dispatcher] in try await dispatcher.dispatch(request("/")) }
    try await server.wait { $0.requests == 1 }
    // libcurl must wait for the response: it does not register the sockets of other connections.
    gate.open()
    _ = try await first.value
    let second = Task { [dispatcher] in
      await failure { () throws(NetworkError) in try await dispatcher.dispatch(request("/?secret")) }
    }
    try await server.wait { $0.requests == 2 }
    server.stopListening()
    let hole = try BlackHole(port: server.port)
    server.stop()
    try check(await second.value, .connect, host: server.authority, processed: true)
    #expect(server.counts.accepted == 1)
    #expect(hole.port == server.port)
  }

  @Test("E3: The wait for the first byte is limited")
  func firstByte() async throws {
    let server = try ScriptedServer(raw: { _, wire in wire.waitForClose() })
    let request = Request.get(server, "/?secret").with { $0.options.timeouts.firstByte = Self.limit }
    try check(
      await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }, .firstByte,
      host: server.authority, processed: true)
    try await server.wait { $0.closed == 1 }
  }

  @Test("E3: The wait for the first byte is limited for a POST without content")
  func firstByteOfPost() async throws {
    let server = try ScriptedServer(raw: { _, wire in wire.waitForClose() })
    let request = Request(method: .post, scheme: "http", authority: server.authority, path: "/?secret").with {
      $0.options.timeouts.firstByte = Self.limit
      $0.options.timeouts.idle = nil
    }
    try check(
      await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }, .firstByte,
      host: server.authority, processed: true)
    try await server.wait { $0.closed == 1 }
  }

  @Test("E3: Silence within a body is limited")
  func idle() async throws {
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
      wire.waitForClose()
    })
    let request = Request.get(server, "/?secret").with { $0.options.timeouts.idle = Self.limit }
    try check(
      await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }, .idle,
      host: server.authority, processed: true)
  }

  @Test("E3: Silence within a streamed body is limited")
  func idleStream() async throws {
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
      wire.waitForClose()
    })
    let request = Request.get(server).with {
      $0.options.timeouts.idle = Self.limit
      $0.options.delivery = .streamed
    }
    let response = try await dispatcher.dispatch(request)
    try check(
      await failure { () throws(NetworkError) in try await response.body.collect(upTo: 100) }, .idle,
      host: server.authority, processed: true)
  }

  @Test("E3: The whole attempt is limited")
  func whole() async throws {
    let server = try ScriptedServer(raw: { _, wire in wire.waitForClose() })
    let request = Request.get(server, "/?secret").with { $0.options.timeouts.whole = Self.limit }
    try check(
      await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }, .whole,
      host: server.authority, processed: true)
  }

  @Test("E3: The whole limit includes the wait in the queue")
  func wholeWithQueue() async throws {
    let server = try ScriptedServer(raw: { _, wire in wire.waitForClose() })
    let first = Task { [dispatcher] in try await dispatcher.dispatch(.get(server)) }
    try await server.wait { $0.requests == 1 }
    let second = Request.get(server, "/?secret").with { $0.options.timeouts.whole = Self.limit }
    try check(
      await failure { () throws(NetworkError) in try await dispatcher.dispatch(second) }, .queue,
      host: server.authority, processed: false, option: "timeouts.whole")
    first.cancel()
    _ = await first.result
  }

  @Test("A dispatcher without a pipeline applies the call's limit to its attempt, queued or sent")
  func call() async throws {
    let server = try ScriptedServer(raw: { _, wire in wire.waitForClose() })
    let request = Request.get(server, "/?secret").with { $0.options.timeouts.call = Self.limit }
    try check(
      await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }, .call,
      host: server.authority, processed: true)
    let first = Task { [dispatcher] in try await dispatcher.dispatch(.get(server)) }
    try await server.wait { $0.requests == 2 }
    try check(
      await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }, .call,
      host: server.authority, processed: false)
    first.cancel()
    _ = await first.result
  }

  @Test("E3: The default limits are ten seconds to connect and twenty of silence, and no others")
  func defaults() {
    let timeouts = RequestOptions().timeouts
    #expect(timeouts == .init(connect: .seconds(10), idle: .seconds(20)))
    #expect(timeouts.whole == nil && timeouts.queue == nil && timeouts.firstByte == nil)
    #expect(timeouts.call == nil)
  }

  @Test("A server that stops reading an upload counts as silent")
  func stalledUpload() async throws {
    let gate = Gate()
    defer { gate.open() }
    let server = try ScriptedServer(raw: { _, wire in
      gate.wait()
      wire.reset()
    })
    let source = PatternSource(length: 64 << 20)
    let request = Request(
      method: .put, scheme: "http", authority: server.authority, path: "/?secret",
      body: .once(length: 64 << 20, source)
    ).with { $0.options.timeouts.idle = Self.limit }
    try check(
      await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }, .idle,
      host: server.authority, processed: true)
    // What was read ahead fits into the sockets' buffers; the queue holds two chunks.
    #expect(source.produced < 16 << 20)
  }

  @Test("A request that waits behind unread streams names them as the cause")
  func unreadStreams() async throws {
    let dispatcher = CurlDispatcher(configuration: .init(limits: .init(perOrigin: 2)))
    let body = [UInt8](repeating: 7, count: 8 << 20)
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
      try? wire.send(body)
    })
    var streams: [Response] = []
    for _ in 0..<2 {
      streams.append(
        try await dispatcher.dispatch(Request.get(server).with { $0.options.delivery = .streamed }))
    }
    for timeouts: RequestOptions.Timeouts in [
      .init(queue: .seconds(1)), .init(whole: .seconds(1)), .init(idle: .seconds(1)),
    ] {
      let request = Request.get(server).with { $0.options.timeouts = timeouts }
      let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
      #expect(error?.kind == .timeout(.queue))
      #expect(error?.requestMayHaveBeenProcessed == false)
      #expect(error?.reason.contains("2 streamed responses of that origin are not being read") == true)
      #expect(error?.reason.contains("1 s") == true)
    }
    streams = []
  }

  @Test("A thousand requests at once fit into the queue by default")
  func thousand() async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    let dispatcher = CurlDispatcher()
    let answers = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<1_000 {
        group.addTask { (try? await dispatcher.dispatch(.get(server)))?.status == .ok }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(answers == 1_000)
  }

  @Test("The queue refuses a body beyond the bytes that it may hold")
  func queuedBytes() async throws {
    let dispatcher = CurlDispatcher(configuration: .init(limits: .init(total: 1, queuedBytes: 100_000)))
    let server = try ScriptedServer(raw: { _, wire in wire.waitForClose() })
    let first = Task { try await dispatcher.dispatch(.get(server)) }
    try await server.wait { $0.requests == 1 }
    let request = Request.get(server).with {
      $0.head.method = .put
      $0.body = .bytes([UInt8](repeating: 1, count: 100_001))
    }
    let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
    #expect(error?.kind == .queueFull)
    #expect(error?.reason.contains("Limits(queuedBytes:)") == true)
    first.cancel()
    _ = await first.result
  }
}
