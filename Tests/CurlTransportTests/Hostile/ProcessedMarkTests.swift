import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import Testing

/// `requestMayHaveBeenProcessed`, phase by phase; the queue's, the cancels' and the limits' stand in their
/// suites.
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

  @Test func `no: the connection was refused`() async throws {
    let closed = try ClosedPort()
    #expect(try await mark(post("127.0.0.1:\(closed.port)")) == (.connect, false))
  }

  @Test func `no: the name has no address`() async throws {
    #expect(try await mark(post("nobody.invalid")) == (.resolve, false))
  }

  @Test func `no: the handshake of TLS failed`() async throws {
    let server = try ScriptedServer(raw: { _, _ in })
    let plain = try await TLSPeerBench(["-tls1_2", "-cipher", "PSK-AES128-CBC-SHA256", "-psk", "0123"])
    #expect(
      try await mark(post("127.0.0.1:\(plain.peer.port)", scheme: "https")) == (.tls(.handshake), false))
    #expect(server.counts.requests == 0)
  }

  @Test func `no: the peer accepted and never began TLS`() async throws {
    // The server waits for a head in the clear, which never comes.
    let server = try ScriptedServer(raw: { _, _ in })
    let request = post(server.authority, scheme: "https").with {
      $0.options.timeouts.connect = .milliseconds(200)
    }
    #expect(try await mark(request) == (.timeout(.connect), false))
  }

  @Test func `no: the body could not be opened`() async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    let request = Request(
      method: .post, scheme: "http", authority: server.authority, path: "/",
      body: .restartable(length: nil) { () throws(NetworkError) -> PatternSource in
        throw NetworkError(.rejected, "The file is gone.")
      })
    #expect(try await mark(request) == (.rejected, false))
    #expect(server.counts.accepted == 0)
  }

  @Test func `yes: it was sent and there is no answer`() async throws {
    let server = try ScriptedServer(raw: { request, wire in try wire.readBody(of: request) { _ in } })
    #expect(try await mark(post(server.authority)) == (.transport, true))
  }

  @Test func `yes: a part of its body was sent`() async throws {
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

  @Test func `yes: its answer broke`() async throws {
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
    })
    #expect(try await mark(post(server.authority)) == (.transport, true))
  }

  @Test func `yes: its answer was too large for its caller`() async throws {
    let server = try ScriptedServer { _ in .text("more than two") }
    let request = post(server.authority).with { $0.options.delivery = .buffered(upTo: 2) }
    #expect(try await mark(request) == (.bodyTooLarge(limit: 2), true))
  }
}
