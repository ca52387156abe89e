import HTTPTypes
import Interception
import LoopbackServing
import Synchronization
import Testing

@testable import URLSessionTransport

@Suite(.timeLimit(.minutes(5)))
struct CancellationTests {
  let dispatcher = URLSessionDispatcher(configuration: .init(limits: .init(total: 1)))

  private func start(_ request: Request) -> Task<NetworkError?, Never> {
    Task { [dispatcher] in await dispatcher.failure(of: request) }
  }

  @Test("A task that is already cancelled sends nothing")
  func alreadyCancelled() async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    let error = await Task { [dispatcher] in
      withUnsafeCurrentTask { $0?.cancel() }
      return await dispatcher.failure(of: .get(server))
    }.value
    #expect(error?.kind == .cancelled(.task))
    #expect(error?.requestMayHaveBeenProcessed == false)
    #expect(server.counts.accepted == 0)
    #expect(dispatcher.owner.liveTransfers == 0)
  }

  @Test("A waiting request can be cancelled")
  func waiting() async throws {
    let server = try ScriptedServer(raw: { _, wire in wire.waitForClose() })
    let first = start(.get(server))
    try await server.wait { $0.requests == 1 }
    let second = start(.get(server))
    second.cancel()
    let error = await second.value
    #expect(error?.kind == .cancelled(.task))
    #expect(error?.requestMayHaveBeenProcessed == false)
    first.cancel()
    #expect(await first.value?.requestMayHaveBeenProcessed == true)
    #expect(server.counts.requests == 1)
  }

  @Test("A connecting request can be cancelled")
  func connecting() async throws {
    let hole = try BlackHole()
    let task = start(Request(scheme: "http", authority: "127.0.0.1:\(hole.port)", path: "/"))
    task.cancel()
    #expect(await task.value?.kind == .cancelled(.task))
  }

  @Test(
    "A request can be cancelled before and within its response",
    arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"])
  func responding(answer: String) async throws {
    let server = try ScriptedServer(raw: { _, connection in
      try connection.send(answer)
      connection.waitForClose()
    })
    let task = start(.get(server))
    try await server.wait { $0.requests == 1 }
    task.cancel()
    let error = await task.value
    #expect(error?.kind == .cancelled(.task))
    #expect(error?.requestMayHaveBeenProcessed == true)
    try await server.wait { $0.closed == 1 }
  }

  @Test("A request can be cancelled while its stream is being read")
  func streaming() async throws {
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
      wire.waitForClose()
    })
    let hasBegun = Watched(false)
    let task = Task { [dispatcher] in
      let request = Request.get(server) { $0.options.delivery = .streamed }
      guard case .stream(let stream) = try await dispatcher.dispatch(request).body else { return }
      for try await _ in stream { hasBegun.update { $0 = true } }
    }
    try await hasBegun.wait { $0 }
    task.cancel()
    guard case .failure(let error) = await task.result else {
      Issue.record("The stream ended as if it was complete.")
      return
    }
    #expect((error as? NetworkError)?.kind == .cancelled(.task))
    try await server.wait { $0.closed == 1 }
  }

  @Test("Under load with cancellations, every caller gets its own outcome exactly once, and nothing is left")
  func load() async throws {
    let count = 300
    let server = try ScriptedServer { .text($0.target) }
    let dispatcher = URLSessionDispatcher(
      configuration: .init(limits: .init(total: 16, perOrigin: 16, queue: count)))
    let outcomes = Watched((answered: 0, cancelled: 0, wrong: [String]()))
    var tasks: [Task<Void, Never>] = []
    for number in 0..<count {
      let request = Request.get(server, "/\(number)") {
        if number % 3 == 0 { $0.options.delivery = .streamed }
        if number % 5 == 0 {
          $0.head.method = .post
          $0.body = .text("body")
        }
      }
      tasks.append(
        Task {
          do throws(NetworkError) {
            let text = try await dispatcher.text(of: request)
            outcomes.update {
              $0.answered += 1
              if text != "/\(number)" { $0.wrong.append(text) }
            }
          } catch {
            let words = error.kind == .cancelled(.task) ? nil : "\(error)"
            outcomes.update {
              $0.cancelled += 1
              if let words { $0.wrong.append(words) }
            }
          }
        })
      if number % 7 == 3 { tasks[number / 2].cancel() }
      if number % 11 == 5 { tasks[number].cancel() }
    }
    for task in tasks { await task.value }
    let (answered, cancelled, wrong) = outcomes.value
    #expect(answered + cancelled == count)
    #expect(answered > 0 && cancelled > 0)
    #expect(wrong.isEmpty)
    await dispatcher.shutdown(grace: .seconds(10))
    #expect(dispatcher.owner.liveTransfers == 0)
    await dispatcher.owner.waitUntilNoTasks()
    #expect(dispatcher.owner.liveTasks == 0)
  }
}
