import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import Testing

/// Servers that begin a response and stall, and informational responses beside an upload.
@Suite(.timeLimit(.minutes(5)))
struct StalledHeadTests {
  static let limit = Duration.milliseconds(300)
  static let beginnings = [
    "HTTP/1.1 200 OK\r\nX-Part: 1\r\n", "HTTP/1.1 200 OK\r\nX-Pa", "HTTP/1.1 100 Continue\r\n\r\n",
    "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n",
    "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nX-Part: 1\r\n",
  ]

  /// Sends a request to a server that sends a beginning `delay` seconds later, and then nothing.
  ///
  /// A whole limit of one minute shows that another limit comes first.
  private func stall(
    _ beginning: String, after delay: Double = 0, _ timeouts: RequestOptions.Timeouts
  ) async throws -> (error: NetworkError?, time: Duration) {
    let never = Gate()
    let server = try ScriptedServer(raw: { _, wire in
      never.wait(upTo: delay)
      try wire.send(beginning)
      wire.waitForClose()
    })
    let dispatcher = CurlDispatcher()
    let request = Request.get(server).with {
      $0.options.timeouts = timeouts
      $0.options.timeouts.whole = .seconds(60)
    }
    let began = ContinuousClock.now
    let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
    let time = ContinuousClock.now - began
    try await server.wait { $0.closed == 1 }
    #expect(await dispatcher.census().isEmpty)
    return (error, time)
  }

  @Test("E3: A head that begins and stalls ends after the idle limit", arguments: beginnings)
  func stalledHead(beginning: String) async throws {
    let (error, time) = try await stall(beginning, .init(connect: nil, idle: Self.limit))
    #expect(error?.kind == .timeout(.idle))
    #expect(error?.requestMayHaveBeenProcessed == true)
    #expect(error?.reason.contains("timeouts.idle") == true)
    #expect(time >= Self.limit)
  }

  @Test("I1: A call ends once, by the idle limit or with its response, at whatever byte the network stalls")
  func everyByte() async throws {
    let whole = Array(
      "HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfour".utf8)
    let server = try ScriptedServer(raw: { request, wire in
      let count = Int(request.target.dropFirst()) ?? 0
      try wire.send(Array(whole.prefix(count)))
      if count == whole.count { wire.stayOpen() } else { wire.waitForClose() }
    })
    let dispatcher = CurlDispatcher(configuration: .init(limits: .init(total: 100, perOrigin: 100)))
    let ends = await withTaskGroup(of: (Int, NetworkError.Kind?).self) { group in
      for count in 0...whole.count {
        // The complete response gets a minute, because a busy machine may need more than a second for it.
        let limit = Duration.seconds(count < whole.count ? 1 : 60)
        let request = Request.get(server, "/\(count)").with { $0.options.timeouts = .init(idle: limit) }
        group.addTask {
          let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
          return (count, error?.kind)
        }
      }
      return await group.reduce(into: [Int: NetworkError.Kind?]()) { $0[$1.0] = $1.1 }
    }
    for count in 0..<whole.count { #expect(ends[count] == .timeout(.idle), "\(count) bytes") }
    #expect(ends[whole.count] == .some(nil))
    #expect(server.counts.requests == whole.count + 1)
    // A call that is cancelled meanwhile ends with its own cancellation.
    let cancelled = Task {
      await failure { () throws(NetworkError) in try await dispatcher.dispatch(.get(server)) }
    }
    try await server.wait { $0.requests == whole.count + 2 }
    cancelled.cancel()
    #expect(await cancelled.value?.kind == .cancelled(.task))
    #expect(await dispatcher.census().isEmpty)
  }

  @Test("E3: A head that begins after the connect limit and stalls ends after the idle limit")
  func lateHead() async throws {
    let (error, time) = try await stall(
      Self.beginnings[0], after: 0.6, .init(connect: .milliseconds(200), idle: .seconds(1)))
    #expect(error?.kind == .timeout(.idle))
    #expect(time >= .milliseconds(1_500))
  }

  @Test("E3: An informational response does not end the wait for the first byte")
  func firstByte() async throws {
    for beginning in Self.beginnings[2...4] {
      let (error, time) = try await stall(beginning, .init(firstByte: Self.limit, idle: .seconds(20)))
      #expect(error?.kind == .timeout(.firstByte))
      #expect(time >= Self.limit)
    }
  }

  /// What a server sends, or doesn't, before it reads an upload.
  static let forerunners = ["", "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early Hints\r\n\r\n"]

  @Test("An upload to a slow, steady reader is progress, whether or not an informational response came")
  func steadyUploads() async throws {
    // At the same time, because each takes three seconds.
    try await withThrowingTaskGroup { group in
      for informational in Self.forerunners { group.addTask { try await steadyUpload(informational) } }
      try await group.waitForAll()
    }
  }

  private func steadyUpload(_ informational: String) async throws {
    let size = 6 << 20
    let never = Gate()
    let server = try ScriptedServer(raw: { request, wire in
      try wire.send(informational)
      var received = 0
      try wire.readBody(of: request) { bytes in
        received += bytes.count
        never.wait(upTo: Double(bytes.count) / Double(2 << 20))
      }
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Received: \(received)\r\n\r\n")
      wire.stayOpen()
    })
    let dispatcher = CurlDispatcher()
    let request = Request(
      method: .put, scheme: "http", authority: server.authority, path: "/",
      body: .once(length: Int64(size), PatternSource(length: size))
    ).with { $0.options.timeouts = .init(idle: .seconds(1)) }
    let response = try await dispatcher.dispatch(request)
    let name = try #require(HTTPField.Name("X-Received"))
    #expect(response.head.headerFields[name] == "\(size)", "after \(informational.debugDescription)")
  }

  @Test(
    "A pause of an upload's own source is not the server's silence, whatever came before",
    arguments: forerunners)
  func haltingUpload(informational: String) async throws {
    let server = try ScriptedServer(raw: { request, wire in
      try wire.send(informational)
      try wire.readBody(of: request) { _ in }
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      wire.stayOpen()
    })
    let dispatcher = CurlDispatcher()
    let source = HaltingSource()
    let request = Request(
      method: .put, scheme: "http", authority: server.authority, path: "/",
      body: .once(length: HaltingSource.length, source)
    ).with { $0.options.timeouts = .init(idle: Self.limit) }
    let response = Task { try await dispatcher.dispatch(request) }
    await source.waitUntilHalted()
    try await Task.sleep(for: Self.limit * 3)  // clock: the limit of silence is libcurl's loop's
    source.goOn()
    #expect(try await response.value.status == .ok)
  }
}
