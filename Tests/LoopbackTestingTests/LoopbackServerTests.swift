import CurlTransport
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import LoopbackTesting

@Suite(.timeLimit(.minutes(5)))
struct LoopbackServerTests {
  private func get(_ server: LoopbackServer, _ path: String = "/") -> Request {
    Request(scheme: server.scheme, authority: server.authority, path: path)
  }

  @Test("Scripted responses are used first, in order, and then the handler's")
  func script() async throws {
    let dispatcher = CurlDispatcher()
    try await LoopbackServer.serving(handler: { .text("handler \($0.path)") }) { server in
      server.enqueue([.text("first"), LoopbackResponse(status: 503)])
      #expect(try await dispatcher.dispatch(get(server)).body.collect(upTo: 100) == Array("first".utf8))
      #expect(try await dispatcher.dispatch(get(server)).status == .serviceUnavailable)
      let third = try await dispatcher.dispatch(get(server, "/x?y"))
      #expect(try await third.body.collect(upTo: 100) == Array("handler /x".utf8))
    }
  }

  @Test("Requests are taken in order, with head, query, content and connection")
  func takingRequests() async throws {
    let dispatcher = CurlDispatcher()
    try await LoopbackServer.serving { server in
      for number in 1...2 {
        var request = get(server, "/path?number=\(number)")
        request.head.method = .put
        request.body = .text("content \(number)")
        _ = try await dispatcher.dispatch(request)
      }
      for number in 1...2 {
        let request = try await server.takeRequest()
        #expect(request.method == .put)
        #expect(request.path == "/path")
        #expect(request.query == "number=\(number)")
        #expect(request.body == Array("content \(number)".utf8))
        #expect(request.connection == 1)
      }
      #expect(server.requests.count == 2)
    }
  }

  @Test("Taking a request waits for one, and ends with the task or the server")
  func waitingForRequests() async throws {
    let dispatcher = CurlDispatcher()
    let server = try await LoopbackServer.start()
    let waiting = Task { try await server.takeRequest().path }
    _ = try await dispatcher.dispatch(get(server, "/late"))
    #expect(try await waiting.value == "/late")
    let cancelled = Task { try await server.takeRequest() }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { _ = try await cancelled.value }
    let left = Task { try await server.takeRequest() }
    try await server.stop()
    await #expect(throws: LoopbackError.self) { _ = try await left.value }
  }

  @Test("Stopping resets stalled connections and leaves nothing open")
  func stopping() async throws {
    let dispatcher = CurlDispatcher()
    let server = try await LoopbackServer.start()
    for moment in [LoopbackMoment.requestStart, .responseStart] {
      server.enqueue(LoopbackResponse().failing(moment, .stall))
    }
    let requests = [get(server), get(server)]
    let tasks = requests.map { request in Task { try await dispatcher.dispatch(request) } }
    try await server.wait { $0.openExchanges == 2 }
    #expect(server.counts.openConnections == 2)
    try await server.stop()
    #expect(server.counts.openConnections == 0)
    #expect(server.counts.openExchanges == 0)
    for task in tasks { await #expect(throws: NetworkError.self) { _ = try await task.value } }
    let error = await #expect(throws: NetworkError.self) { _ = try await dispatcher.dispatch(requests[0]) }
    #expect(error?.kind == .connect)
  }

  @Test("Slow content follows the server's clock, tick by tick")
  func slowContent() async throws {
    let clock = TestClock()
    let dispatcher = CurlDispatcher()
    try await LoopbackServer.serving(LoopbackConfiguration(time: TimeSource(clock))) { server in
      server.enqueue(
        .text("slow").failing(.responseStart, .slow(LoopbackPace(bytes: 2, every: .seconds(60)))))
      let request = get(server)
      let task = Task { try await dispatcher.dispatch(request).body.collect(upTo: 10) }
      try await clock.waitForSleepers()
      #expect(server.counts.sentBytes == 0)
      clock.advance(by: .seconds(60))
      try await server.wait { $0.sentBytes == 2 }
      try await clock.waitForSleepers()
      #expect(server.counts.sentBytes == 2)
      clock.advance(by: .seconds(60))
      #expect(try await task.value == Array("slow".utf8))
    }
  }

  @Test("Early faults take effect before the content of a request for the handler")
  func earlyFaults() async throws {
    let dispatcher = CurlDispatcher()
    let configuration = LoopbackConfiguration(earlyFaults: { request in
      request.path == "/broken" ? [LoopbackFault(.requestStart, .reset)] : []
    })
    try await LoopbackServer.serving(configuration) { server in
      let error = await #expect(throws: NetworkError.self) {
        _ = try await dispatcher.dispatch(get(server, "/broken"))
      }
      #expect(error?.kind == .transport)
      let whole = try await dispatcher.dispatch(get(server, "/whole"))
      #expect(whole.status == .ok)
      #expect(server.requests.map(\.path) == ["/whole"])
    }
  }

  @Test("Content beyond the limit gets the response 413")
  func bodyLimit() async throws {
    let dispatcher = CurlDispatcher()
    try await LoopbackServer.serving(LoopbackConfiguration(bodyLimit: 10)) { server in
      var request = get(server)
      request.head.method = .post
      request.body = .text("eleven byte")
      let status = try await dispatcher.dispatch(request).status
      #expect(status == .contentTooLarge)
      #expect(server.requests.isEmpty)
    }
  }

  @Test(
    "A connection that is greeted with close, reset or garbage fails and is counted",
    arguments: [LoopbackConfiguration.Greeting.close, .reset, .garbage([0, 1, 2])])
  func greets(_ greeting: LoopbackConfiguration.Greeting) async throws {
    let dispatcher = CurlDispatcher()
    try await LoopbackServer.serving(LoopbackConfiguration(greeting: greeting)) { server in
      await #expect(throws: NetworkError.self) { _ = try await dispatcher.dispatch(get(server)) }
      #expect(server.counts.acceptedConnections >= 1)
      #expect(server.counts.begunRequests == 0)
      try await server.wait { $0.openConnections == 0 }
    }
  }

  @Test("A closed port refuses connections and stays reserved")
  func closedPort() throws {
    let ports = try (0..<20).map { _ in try ClosedPort() }
    #expect(Set(ports.map(\.number)).count == 20)
    #expect(ports.allSatisfy { $0.number > 0 })
  }
}
