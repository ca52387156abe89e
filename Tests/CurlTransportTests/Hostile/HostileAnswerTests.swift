import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import Testing

@Suite(.timeLimit(.minutes(5)))
struct HostileAnswerTests {
  /// A server whose first connection is hostile and whose others are not.
  private func server(_ answer: HostileAnswer) throws -> ScriptedServer {
    try ScriptedServer(raw: { request, wire in
      guard request.connection == 1 else {
        try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        return wire.stayOpen()
      }
      try wire.send(answer.wire)
      if case .hold = answer.after { wire.waitForClose() }
    })
  }

  @Test(
    "A malformed response is a typed error before any time limit, and its connection is not reused",
    arguments: HostileAnswer.framing + HostileAnswer.heads, [true, false])
  func malformed(
    answer: HostileAnswer, isBuffered: Bool
  ) async throws {
    let server = try server(answer)
    let dispatcher = CurlDispatcher()
    let request = Request.get(server, "/?secret").with {
      if !isBuffered { $0.options.delivery = .streamed }
      $0.options.timeouts.whole = .seconds(120)
    }
    let found = await failure { () throws(NetworkError) in
      try await dispatcher.dispatch(request).body.collect(upTo: 1 << 20)
    }
    let error = try #require(found)
    // A limit would end the request with an error of its own kind.
    #expect(error.kind == answer.kind, "\(error)")
    #expect(error.reason.contains(answer.words), "\(error)")
    #expect(error.reason.contains(server.authority))
    #expect(!error.reason.contains("secret"))
    #expect(error.requestMayHaveBeenProcessed)

    // The client closes the hostile connection, and the next request succeeds on another one.
    try await server.wait { $0.closed == 1 }
    let next = try await dispatcher.dispatch(.get(server))
    #expect(try await next.body.collect(upTo: 2) == Array("ok".utf8))
    #expect(server.counts.accepted == 2)
    #expect(await dispatcher.census().isEmpty)
    await dispatcher.shutdown()
    #expect(OpenSockets.count(to: server.port) == 0)
  }

  @Test(
    "A repeated equal length is accepted",
    arguments: ["Content-Length: 2\r\nContent-Length: 2", "Content-Length: 2, 2"])
  func repeatedLength(fields: String) async throws {
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nok")
      wire.stayOpen()
    })
    let response = try await CurlDispatcher().dispatch(.get(server))
    #expect(try await response.body.collect(upTo: 2) == Array("ok".utf8))
  }
}
