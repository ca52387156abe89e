import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ConnectFailureTests {
  let dispatcher = CurlDispatcher()

  @Test("A refused connection names host, port and what to check")
  func refused() async throws {
    let closed = try ClosedPort()
    let request = Request(
      method: .post, scheme: "http", authority: "127.0.0.1:\(closed.port)", path: "/?secret", body: .text("x")
    )
    let error = try #require(
      await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) })
    #expect(error.kind == .connect)
    #expect(error.reason.contains("127.0.0.1:\(closed.port)"))
    #expect(error.reason.contains("refused"))
    #expect(error.reason.contains("listens on port \(closed.port)"))
    #expect(!error.reason.contains("secret"))
    #expect(!error.requestMayHaveBeenProcessed)
    #expect(error.underlying(as: CurlError.self)?.code == 7)
  }

  @Test("A name without an address is named")
  func unknownName() async throws {
    let request = Request(scheme: "http", authority: "unknown.invalid", path: "/?secret")
    let error = try #require(
      await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) })
    #expect(error.kind == .resolve)
    #expect(error.reason.contains("unknown.invalid"))
    #expect(!error.reason.contains("secret"))
    #expect(!error.requestMayHaveBeenProcessed)
  }

  @Test("Schemes other than http and https are refused", arguments: ["file", "ftp", "gopher"])
  func schemes(scheme: String) async throws {
    let request = Request(scheme: scheme, authority: "127.0.0.1", path: "/etc/hostname")
    let error = try #require(
      await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) })
    #expect(error.kind == .invalidRequest)
    #expect(error.reason.contains(scheme))
  }

  @Test("E6: A connect target provides the address of a name that cannot be resolved")
  func connectTarget() async throws {
    let server = try ScriptedServer { .text($0.value(of: "Host") ?? "") }
    var request = Request(scheme: "http", authority: "Unknown.invalid", path: "/")
    request.context.connectTarget = ConnectTarget(address: "127.0.0.1", port: server.port)
    let response = try await dispatcher.dispatch(request)
    #expect(try await response.body.collect(upTo: 100) == Array("Unknown.invalid".utf8))
    #expect(response.exchange.transport?.remoteAddress == server.authority)
  }

  @Test("A POST on a dead connection is not sent again, but a GET is")
  func deadConnection() async throws {
    // The server answers once on a connection and resets it when the second request has come.
    let server = try ScriptedServer(raw: { request, wire in
      try wire.readBody(of: request) { _ in }
      let isSecond = request.target == "/second" && request.connection == 1
      guard !isSecond else { return wire.reset() }
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      wire.stayOpen()
    })
    _ = try await dispatcher.dispatch(.get(server, "/first"))
    let post = Request(
      method: .post, scheme: "http", authority: server.authority, path: "/second", body: .text("pay"))
    let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(post) }
    #expect(error?.kind == .transport)
    #expect(error?.requestMayHaveBeenProcessed == true)
    #expect(server.requests.count { $0.method == "POST" } == 1)

    let other = try ScriptedServer(raw: { request, wire in
      let isSecond = request.target == "/second" && request.connection == 1
      guard !isSecond else { return wire.reset() }
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      wire.stayOpen()
    })
    _ = try await dispatcher.dispatch(.get(other, "/first"))
    #expect(try await dispatcher.dispatch(.get(other, "/second")).status == .ok)
    #expect(other.counts.accepted == 2)
  }
}
