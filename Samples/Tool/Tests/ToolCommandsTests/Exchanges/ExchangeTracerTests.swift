import HTTPTypes
import Interception
import Testing
import ToolCommands

@Suite struct ExchangeTracerTests {
  /// Responds with statuses in turn, and fails when there is none left.
  private struct Statuses: Dispatcher {
    let next: @Sendable () -> Int?

    func dispatch(_ request: Request) async throws(NetworkError) -> Response {
      guard let status = next() else { throw NetworkError(.connect, "No connection.") }
      return Response(status: HTTPResponse.Status(code: status))
    }
  }

  @Test(
    "A tracer records method, redacted URL, attempt and outcome, and knows a redirect of a request by its URL"
  )
  func tracing() async throws {
    let tracer = ExchangeTracer()
    let pipeline = try Pipeline(over: Statuses { 200 }) { tracer }
    let request = try Request("https://a.test/b?token=secret")
    _ = try await pipeline.send(request)
    _ = try await pipeline.send(request.asAttempt(2))
    // A redirect changes the URL of the request; another request is none.
    var hop = request
    hop.head.path = "/c"
    _ = try await pipeline.send(hop)
    _ = try await pipeline.send(Request("https://a.test/d"))
    let exchanges = tracer.exchanges
    #expect(
      exchanges.map(\.url) == [
        "https://a.test/b?token=██", "https://a.test/b?token=██", "https://a.test/c", "https://a.test/d",
      ])
    #expect(exchanges.map(\.isHop) == [false, false, true, false])
    #expect(exchanges.map(\.attempt) == [1, 2, 1, 1])
    #expect(exchanges.allSatisfy { $0.outcome == .status(200) && $0.end != nil })
  }

  @Test("A failure is recorded and passed on")
  func failing() async throws {
    let tracer = ExchangeTracer()
    let pipeline = try Pipeline(over: Statuses { nil }) { tracer }
    let error = await #expect(throws: NetworkError.self) {
      try await pipeline.send(Request("https://a.test/"))
    }
    #expect(error?.kind == .connect)
    #expect(tracer.exchanges.map(\.outcome) == [.failure("connect")])
  }
}
