import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CancellationTests {
  let dispatcher = CurlDispatcher(configuration: .init(limits: .init(total: 1)))

  private func outcome(_ task: Task<Response, any Error>) async -> NetworkError? {
    do {
      _ = try await task.value
      return nil
    } catch {
      return error as? NetworkError
    }
  }

  private func start(_ request: Request) -> Task<Response, any Error> {
    Task { [dispatcher] in try await dispatcher.dispatch(request) }
  }

  @Test("A task that was cancelled before sends nothing")
  func before() async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    let request = Request.get(server)
    let error = await Task { [dispatcher] in
      withUnsafeCurrentTask { $0?.cancel() }
      return await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
    }.value
    #expect(error?.kind == .cancelled(.task))
    #expect(error?.requestMayHaveBeenProcessed == false)
    #expect(server.counts.accepted == 0)
  }

  @Test("A request can be cancelled in the queue")
  func inQueue() async throws {
    let server = try ScriptedServer(raw: { _, wire in wire.waitForClose() })
    let first = start(.get(server))
    try await server.wait { $0.requests == 1 }
    let second = start(.get(server))
    second.cancel()
    let error = await outcome(second)
    #expect(error?.kind == .cancelled(.task))
    #expect(error?.requestMayHaveBeenProcessed == false)
    first.cancel()
    #expect(await outcome(first)?.requestMayHaveBeenProcessed == true)
    #expect(server.counts.requests == 1)
  }

  @Test("A request can be cancelled while it connects")
  func connecting() async throws {
    let hole = try BlackHole()
    let task = start(Request(scheme: "http", authority: "127.0.0.1:\(hole.port)", path: "/"))
    task.cancel()
    let error = await outcome(task)
    #expect(error?.kind == .cancelled(.task))
    #expect(error?.requestMayHaveBeenProcessed == false)
  }

  @Test("A request can be cancelled before and within its response")
  func responding() async throws {
    for wire in ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"] {
      let server = try ScriptedServer(raw: { _, connection in
        try connection.send(wire)
        connection.waitForClose()
      })
      let task = start(.get(server))
      try await server.wait { $0.requests == 1 }
      task.cancel()
      let error = await outcome(task)
      #expect(error?.kind == .cancelled(.task))
      #expect(error?.requestMayHaveBeenProcessed == true)
      try await server.wait { $0.closed == 1 }
    }
  }

  @Test("A request can be cancelled while its stream is read")
  func streaming() async throws {
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
      wire.waitForClose()
    })
    let request = Request.get(server).with { $0.options.delivery = .streamed }
    let hasBegun = Watched(false)
    let task = Task { [dispatcher] in
      let response = try await dispatcher.dispatch(request)
      guard case .stream(let stream) = response.body else { return response }
      for try await _ in stream { hasBegun.update { $0 = true } }
      return response
    }
    try await hasBegun.wait { $0 }
    task.cancel()
    #expect(await outcome(task)?.kind == .cancelled(.task))
    try await server.wait { $0.closed == 1 }
  }

  @Test("Cancelling an upload cancels its body's source")
  func uploading() async throws {
    let server = try ScriptedServer(raw: { request, wire in try wire.readBody(of: request) { _ in } })
    let source = EndlessSource()
    let task = start(
      Request(
        method: .post, scheme: "http", authority: server.authority, path: "/",
        body: .once(length: nil, source)))
    try await source.reads.wait { $0 > 20 }
    task.cancel()
    let error = await outcome(task)
    #expect(error?.kind == .cancelled(.task))
    #expect(error?.requestMayHaveBeenProcessed == true)
    try await source.isCancelled.wait { $0 }
    try await server.wait { $0.closed == 1 }
  }

  @Test(
    "E1: Requests to several services have unique ids, and each gets its own response once despite cancellations"
  )
  func load() async throws {
    let count = 600
    let servers = try ["estate", "mortgage", "help"].map { service in
      try ScriptedServer { .text(service + $0.target) }
    }
    let dispatcher = CurlDispatcher(
      configuration: .init(limits: .init(total: 16, perOrigin: 16, queue: count)))
    var random = SeededRandom(seed: 1)
    let ids = Watched<Set<RequestID>>([])
    let wrong = Watched(0)
    let outcomes = Watched((answered: 0, cancelled: 0, failed: 0))
    var tasks: [Task<Void, Never>] = []
    for number in 0..<count {
      let service = ["estate", "mortgage", "help"][number % 3]
      let request = Request.get(servers[number % 3], "/\(number)").with {
        $0.context.api = APIIdentity(service: service, name: "numbers")
        if number % 4 == 0 { $0.options.delivery = .streamed }
      }
      ids.update { _ = $0.insert(request.id) }
      tasks.append(
        Task {
          do throws(NetworkError) {
            let body = try await dispatcher.dispatch(request).body.collect(upTo: 100)
            if body != Array("\(service)/\(number)".utf8) { wrong.update { $0 += 1 } }
            outcomes.update { $0.answered += 1 }
          } catch {
            let isCancelled = error.kind == .cancelled(.task)
            outcomes.update { if isCancelled { $0.cancelled += 1 } else { $0.failed += 1 } }
          }
        })
      // Some at once, some once a good deal has been answered.
      if Int.random(in: 0..<4, using: &random) == 0 {
        tasks[Int.random(in: 0...number, using: &random)].cancel()
      }
    }
    for task in tasks.shuffled(using: &random).prefix(count / 4) { task.cancel() }
    for task in tasks { await task.value }
    let (answered, cancelled, failed) = outcomes.value
    #expect(answered + cancelled + failed == count)
    #expect(failed == 0)
    #expect(wrong.value == 0)
    #expect(answered > 0 && cancelled > 0)
    #expect(ids.value.count == count)
    // No cancelled request still occupies a place.
    #expect(try await dispatcher.dispatch(.get(servers[0], "/after")).status == .ok)
    await dispatcher.shutdown()
  }
}

/// A body without end that remembers whether it was cancelled.
private struct EndlessSource: ByteSource {
  let reads = Watched(0)
  let isCancelled = Watched(false)

  func read() async throws(NetworkError) -> [UInt8]? {
    reads.update { $0 += 1 }
    return [UInt8](repeating: 0, count: 1000)
  }

  func cancel() { isCancelled.update { $0 = true } }
}
