import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import Testing

/// Reused connections that end when a request arrives, after which libcurl would send it again.
@Suite(.timeLimit(.minutes(5)))
struct ResendingTests {
  private static let safety = HTTPField.Name("Idempotency-Key")

  /// Sends a request over a reused connection, which ends without a response at its first arrival; returns
  /// the requests that arrived, and the error.
  private func send(
    _ method: HTTPRequest.Method, _ change: (inout Request) -> Void = { _ in }
  ) async throws -> (arrived: [ReceivedRequest], error: NetworkError?) {
    let gate = Gate()
    let server = try ScriptedServer(raw: { request, wire in
      // libcurl must wait for the response: it does not register the sockets of other connections.
      if request.target == "/first" { gate.wait() } else if wire.number == 1 { return }
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      wire.stayOpen()
    })
    let dispatcher = CurlDispatcher()
    let first = Task { try await dispatcher.dispatch(.get(server, "/first")) }
    try await server.wait { $0.requests == 1 }
    gate.open()
    _ = try await first.value
    let request = Request.get(server, "/second").with {
      $0.head.method = method
      change(&$0)
    }
    let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
    await dispatcher.shutdown()
    return (server.requests.filter { $0.target == "/second" }, error)
  }

  @Test(
    "I4: A request that is not idempotent, or must be sent once, arrives once although its connection ends",
    arguments: [HTTPRequest.Method.get, .put, .delete, .post])
  func once(method: HTTPRequest.Method) async throws {
    let changes: [@Sendable (inout Request) -> Void] = [
      { $0.context.isIdempotent = false }, { $0.context.isSentOnce = true },
      {
        $0.context.isIdempotent = true
        $0.context.isSentOnce = true
      },
    ]
    for change in changes {
      let (arrived, error) = try await send(method, change)
      #expect(arrived.count == 1)
      #expect(error?.kind == .transport)
      #expect(error?.requestMayHaveBeenProcessed == true)
    }
    // With a key the server recognizes the second arrival, so that both have one effect.
    let key = try #require(Self.safety)
    let (arrived, error) = try await send(.post) { $0.head.headerFields[key] = "\"8e03978e\"" }
    #expect(error == nil)
    #expect(arrived.map { $0.value(of: "Idempotency-Key") } == ["\"8e03978e\"", "\"8e03978e\""])
  }

  @Test("An idempotent request, by method or declaration, is sent again over another connection")
  func again() async throws {
    let query = try #require(HTTPRequest.Method(rawValue: "QUERY"))
    for method in [.get, query, .put, .delete] {
      let (arrived, error) = try await send(method)
      #expect(error == nil)
      #expect(arrived.map(\.connection) == [1, 2])
    }
    let (arrived, error) = try await send(.post) { $0.context.isIdempotent = true }
    #expect(error == nil && arrived.count == 2)
    #expect(try await send(.post).arrived.count == 1)
  }
}
