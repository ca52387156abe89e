import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import Testing

/// `requestMayHaveBeenProcessed` in each phase; other suites cover the queue, cancellation and limits.
@Suite(.timeLimit(.minutes(5)))
struct ProcessedMarkTests {
  let dispatcher = CurlDispatcher()

  private func mark(_ request: Request) async throws -> (NetworkError.Kind, Bool) {
    let request = request.with { $0.options.timeouts.whole = .seconds(120) }
    let error = try #require(
      await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) })
    return (error.kind, error.requestMayHaveBeenProcessed)
  }

  private func post(_ authority: String, scheme: String = "http") -> Request {
    Request(method: .post, scheme: scheme, authority: authority, path: "/", body: .text("pay"))
  }

  @Test("No: the connection was refused")
  func refused() async throws {
    let closed = try ClosedPort()
    #expect(try await mark(post("127.0.0.1:\(closed.port)")) == (.connect, false))
  }

  @Test("No: the name has no address")
  func unknownName() async throws {
    #expect(try await mark(post("unknown.invalid")) == (.resolve, false))
  }

  @Test("No: the TLS handshake failed")
  func failedHandshake() async throws {
    let server = try ScriptedServer(raw: { _, _ in })
    let plain = try await TLSPeerBench(["-tls1_2", "-cipher", "PSK-AES128-CBC-SHA256", "-psk", "0123"])
    #expect(
      try await mark(post("127.0.0.1:\(plain.peer.port)", scheme: "https")) == (.tls(.handshake), false))
    #expect(server.counts.requests == 0)
  }

  @Test("No: the peer accepted and never began TLS")
  func noHandshake() async throws {
    // The server waits for a head without TLS, which never comes.
    let server = try ScriptedServer(raw: { _, _ in })
    let request = post(server.authority, scheme: "https").with {
      $0.options.timeouts.connect = .milliseconds(200)
    }
    #expect(try await mark(request) == (.timeout(.connect), false))
  }

  @Test("No: the body could not be opened")
  func unopenedBody() async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    let request = Request(
      method: .post, scheme: "http", authority: server.authority, path: "/",
      body: .restartable(length: nil) { () throws(NetworkError) -> PatternSource in
        throw NetworkError(.rejected, "The file is gone.")
      })
    #expect(try await mark(request) == (.rejected, false))
    #expect(server.counts.accepted == 0)
  }

  @Test("Yes: the request was sent and there was no response")
  func noResponse() async throws {
    let server = try ScriptedServer(raw: { request, wire in try wire.readBody(of: request) { _ in } })
    #expect(try await mark(post(server.authority)) == (.transport, true))
  }

  @Test("Yes: a part of the body was sent")
  func partialBody() async throws {
    let server = try ScriptedServer(raw: { request, wire in
      try wire.readBody(of: request) { _ in
        wire.reset()
        throw WireConnection.Closed()
      }
    })
    let request = Request(
      method: .post, scheme: "http", authority: server.authority, path: "/",
      body: .once(length: 16 << 20, PatternSource(length: 16 << 20)))
    #expect(try await mark(request) == (.transport, true))
  }

  @Test("Yes: the response was broken")
  func brokenResponse() async throws {
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
    })
    #expect(try await mark(post(server.authority)) == (.transport, true))
  }

  @Test("Yes: the response was too large for the caller")
  func tooLarge() async throws {
    let server = try ScriptedServer { _ in .text("more than two") }
    let request = post(server.authority).with { $0.options.delivery = .buffered(upTo: 2) }
    #expect(try await mark(request) == (.bodyTooLarge(limit: 2), true))
  }
}
