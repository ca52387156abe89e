import HTTPTypes
import Interception
import LoopbackServing
import Testing

@testable import CurlTransport

@Suite("Trailer fields of requests", .timeLimit(.minutes(5)))
struct RequestTrailersWireTests {
  private static let size = 200_000

  enum Body: CaseIterable {
    case bytes
    case streamed
    case ofUnknownLength
    case empty

    var body: RequestBody {
      switch self {
      case .bytes: .bytes(PatternSource.bytes(at: 0, count: size))
      case .streamed: .once(length: Int64(size), PatternSource(length: size))
      case .ofUnknownLength: .once(length: nil, PatternSource(length: size))
      case .empty: .once(length: nil, PatternSource(length: 0))
      }
    }
    var length: Int { self == .empty ? 0 : size }
  }

  private struct Received: Sendable {
    var fields: [(name: String, value: String)] = []
    var isWhole = false
    var trailers: [String] = []
  }

  private func server(_ received: Watched<Received>) throws -> ScriptedServer {
    try ScriptedServer(raw: { request, wire in
      var body: [UInt8] = []
      let trailers = try wire.readBody(of: request) { body += $0 }
      let isWhole = PatternSource.matches(body, at: 0)
      received.update { $0 = Received(fields: request.fields, isWhole: isWhole, trailers: trailers) }
      try wire.send("HTTP/1.1 200 OK\r\nX-Length: \(body.count)\r\nContent-Length: 0\r\n\r\n")
      wire.stayOpen()
    })
  }

  private func upload(_ authority: String, _ body: RequestBody, scheme: String = "http") -> Request {
    Request(method: .put, scheme: scheme, authority: authority, path: "/store/plan", body: body)
  }

  private static func checksum() throws -> HTTPField.Name { try #require(HTTPField.Name("X-Checksum")) }

  @Test(
    "They follow the content in chunks, are announced, and not sent with the next request",
    arguments: Body.allCases)
  func sent(body: Body) async throws {
    let received = Watched(Received())
    let server = try server(received)
    let dispatcher = CurlDispatcher()
    let (name, length) = (try Self.checksum(), try #require(HTTPField.Name("X-Length")))
    for number in 1...2 {
      var request = upload(server.authority, body.body)
      request.trailers = RequestTrailers([name, .eTag]) { [name: "\(number)", .eTag: ""] }
      let response = try await dispatcher.dispatch(request)
      #expect(response.head.headerFields[length] == "\(body.length)")
      let value = received.value
      #expect(value.isWhole && value.trailers == ["X-Checksum: \(number)", "ETag: "])
      let fields = Dictionary(value.fields.map { ($0.name.lowercased(), $0.value) }) { $0 + ", " + $1 }
      #expect(fields["trailer"] == "X-Checksum, ETag")
      #expect(fields["transfer-encoding"] == "chunked" && fields["content-length"] == nil)
      // Its connection is closed after the response.
      try await server.wait { $0.closed == number }
    }
    for body in [RequestBody.once(length: nil, PatternSource(length: Self.size)), .text(""), body.body] {
      #expect(try await dispatcher.dispatch(upload(server.authority, body)).status == .ok)
      #expect(received.value.isWhole)
      #expect(received.value.trailers.isEmpty)
      #expect(!received.value.fields.contains { $0.name.lowercased() == "trailer" })
    }
    #expect(await dispatcher.census().isEmpty)
    await dispatcher.shutdown()
  }

  @Test("They are formed after the last byte of the content was read, and a wait for them pauses sending")
  func order() async throws {
    let received = Watched(Received())
    let server = try server(received)
    let source = PatternSource(length: Self.size)
    let forming = Watched(-1)
    let (going, goOn) = AsyncStream.makeStream(of: Void.self)
    var request = upload(server.authority, .once(length: nil, source))
    let name = try Self.checksum()
    request.trailers = RequestTrailers([name]) {
      forming.update { $0 = source.produced }
      for await _ in going {}
      return [name: "\(source.produced)"]
    }
    let dispatcher = CurlDispatcher()
    let task = Task { [request] in try await dispatcher.dispatch(request) }
    #expect(try await forming.wait { $0 >= 0 } == Self.size)
    #expect(received.value.trailers.isEmpty)
    goOn.finish()
    #expect(try await task.value.status == .ok)
    #expect(received.value.trailers == ["X-Checksum: \(Self.size)"])
    await dispatcher.shutdown()
  }

  @Test("A closure that fails, or returns a field without an announcement, fails the request unfinished")
  func failing() async throws {
    let received = Watched(Received())
    let server = try server(received)
    let dispatcher = CurlDispatcher()
    let name = try Self.checksum()
    var request = upload(server.authority, Body.streamed.body)
    request.trailers = RequestTrailers([name]) { () throws(NetworkError) in
      throw NetworkError(.transport, "The checksum is lost.")
    }
    let lost = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
    #expect(lost?.kind == .transport && lost?.reason == "The checksum is lost.")
    #expect(lost?.requestMayHaveBeenProcessed == true)
    request.body = Body.streamed.body
    request.trailers = RequestTrailers([name]) { [.eTag: "x"] }
    let unannounced = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
    #expect(unannounced?.kind == .invalidRequest && unannounced?.reason.contains("ETag") == true)
    try await server.wait { $0.closed == 2 }
    #expect(received.value.fields.isEmpty)
    #expect(await dispatcher.census().isEmpty)
    await dispatcher.shutdown()
  }

  @Test("Cancelling the request while they are formed cancels the closure")
  func cancelled() async throws {
    let server = try server(Watched(Received()))
    let dispatcher = CurlDispatcher()
    let isForming = Watched(false)
    let wasCancelled = Watched(false)
    let (never, continuation) = AsyncStream.makeStream(of: Void.self)
    defer { continuation.finish() }
    var request = upload(server.authority, .text("plan"))
    request.trailers = RequestTrailers([try Self.checksum()]) {
      isForming.update { $0 = true }
      // Ends when the task is cancelled, because nothing finishes it before.
      for await _ in never {}
      wasCancelled.update { $0 = Task.isCancelled }
      return [:]
    }
    let task = Task { [request] in
      await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
    }
    try await isForming.wait { $0 }
    task.cancel()
    #expect(await task.value?.kind == .cancelled(.task))
    #expect(try await wasCancelled.wait { $0 })
    #expect(await dispatcher.census().isEmpty)
    await dispatcher.shutdown()
  }

  @Test(
    "A request with them leaves its origin's HTTP/2 connection, which the next request uses again",
    .enabled(if: NginxServer.runsSuites, "nginx is not installed"))
  func overTLS() async throws {
    let server = try await NginxServer()
    let dispatcher = CurlDispatcher(
      configuration: .init(tls: .init(authorityFile: server.certificates.authorityFile)))
    let authority = "127.0.0.1:\(server.tlsPort())"
    let echo = Request(authority: authority, path: "/echo")
    #expect(try await dispatcher.dispatch(echo).exchange.transport?.version == .http2)
    let name = try Self.checksum()
    for _ in 1...2 {
      var request = upload(authority, Body.bytes.body, scheme: "https")
      request.trailers = RequestTrailers([name]) { [name: "1"] }
      let stored = try await dispatcher.dispatch(request)
      #expect([201, 204].contains(stored.status.code))
      #expect(stored.exchange.transport?.version == .http1)
      #expect(stored.exchange.transport?.connectionWasReused == false)
      let next = try await dispatcher.dispatch(echo).exchange.transport
      #expect(next?.version == .http2 && next?.connectionWasReused == true)
    }
    let whole = try await dispatcher.dispatch(Request(authority: authority, path: "/store/plan"))
    #expect(try await whole.body.collect(upTo: 1 << 20) == PatternSource.bytes(at: 0, count: Self.size))
    await dispatcher.shutdown()
  }

  @Test("Where they can't be sent, the error says why, and nothing is sent")
  func refused() async throws {
    let server = try server(Watched(Received()))
    let name = try Self.checksum()
    func error(
      _ change: (inout Request) -> Void, priorKnowledge: Set<String> = []
    ) async throws -> NetworkError? {
      let dispatcher = CurlDispatcher(
        configuration: .init(connections: ConnectionPolicy(priorKnowledge: priorKnowledge)))
      var request = upload(server.authority, .text("plan"))
      request.trailers = RequestTrailers([name]) { [name: "1"] }
      change(&request)
      let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
      await dispatcher.shutdown()
      return error
    }
    let empty = try await error { $0.body = .empty }
    #expect(empty?.kind == .invalidRequest && empty?.reason.contains("follow content") == true)
    let own = try await error { $0.head.headerFields[.trailer] = "X-Checksum" }
    #expect(own?.kind == .invalidRequest && own?.reason.contains("remove it") == true)
    let leading = try await error { $0.trailers = RequestTrailers([.authorization]) { [:] } }
    #expect(leading?.kind == .invalidRequest && leading?.reason.contains("Authorization") == true)
    let plain = try await error({ _ in }, priorKnowledge: ["127.0.0.1"])
    #expect(plain?.kind == .unsupported)
    #expect(server.counts.accepted == 0)
  }
}
