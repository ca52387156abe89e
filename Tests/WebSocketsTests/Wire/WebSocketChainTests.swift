import BodyCompression
import CookieKeeping
import CurlTransport
import DNSBypass
import Foundation
import HTTPTypes
import Interception
import LoopbackServing
import RateLimiting
import RedirectFollowing
import RequestAuthorization
import RequestLogging
import RequestRetry
import RequestSharing
import RequestSigning
import ResponseCaching
import SwitchyardTesting
import Synchronization
import Testing

@testable import WebSockets

/// The handshake as a request of a pipeline.
@Suite("WebSocket in a chain", .timeLimit(.minutes(5)))
struct WebSocketChainTests {
  private struct NewToken: TokenSource {
    func token(replacing previous: AccessToken?) async throws -> AccessToken { try AccessToken("new") }
  }

  private func request(_ server: ScriptedServer) throws -> Request {
    try Request("ws://\(server.authority)/stream")
  }

  private func kind(_ body: () async throws -> Void) async -> WebSocketError.Kind? {
    do {
      try await body()
      return nil
    } catch {
      return (error as? WebSocketError)?.kind
    }
  }

  /// Starts a server that answers the first handshakes with replies, and switches after them.
  private func server(_ replies: [ScriptedReply]) throws -> ScriptedServer {
    let count = Mutex(0)
    return try ScriptedServer(raw: { request, wire in
      let number = count.withLock { count in
        defer { count += 1 }
        return count
      }
      guard number >= replies.count else {
        var head = "HTTP/1.1 \(replies[number].status) X\r\nContent-Length: 0\r\n"
        for field in replies[number].fields { head += "\(field.name): \(field.value)\r\n" }
        return try wire.send(head + "\r\n")
      }
      try wire.send(try FrameWire.acceptance(of: request))
      let peer = FrameWire(request, wire)
      try peer.send(.text("hello"))
      while let frame = try peer.next(), frame.type != .close {}
    })
  }

  private func greeting(_ socket: WebSocket) async throws -> WebSocketMessage? {
    var iterator = socket.messages.makeAsyncIterator()
    return try await iterator.next()
  }

  @Test("H5: a cache, sharing, redirects and compression leave handshakes alone: each has its own connection")
  func independence() async throws {
    let server = try server([])
    let pipeline = try Pipeline(over: CurlDispatcher()) {
      SharingInterceptor()
      RedirectInterceptor()
      CachingInterceptor(defaultRule: .timed())
      CompressionInterceptor()
    }
    try await withThrowingTaskGroup(of: WebSocket.self) { group in
      for _ in 0..<5 {
        group.addTask { try await WebSocket.connect(self.request(server), over: pipeline) }
      }
      var sockets: [WebSocket] = []
      for try await socket in group { sockets.append(socket) }
      for socket in sockets { #expect(try await self.greeting(socket) == .text("hello")) }
      #expect(server.requests.count == 5)
      #expect(server.requests.allSatisfy { $0.value(of: "Accept-Encoding") == nil })
    }
  }

  @Test("H5: cookies, a signature, own addresses and an archive see handshakes as they see requests")
  func seen() async throws {
    let server = try server([ScriptedReply(status: 503, fields: [("Set-Cookie", "id=7")])])
    // It never accepts, so that the other address is connected beside it.
    let silent = try BlackHole()
    let authority = "estate.invalid:\(server.port)"
    let table = try AddressTable(
      [authority: ["127.0.0.1:\(silent.port)", server.authority]], allowing: [.loopback])
    let key = try SigningKey(id: "app", secret: Array(0..<32))
    let archive = HARRecorder()
    let pipeline = try Pipeline(over: CurlDispatcher()) {
      RetryInterceptor(RetryPolicy(backOff: RetryBackOff(base: .milliseconds(1))))
      CookieInterceptor()
      SigningInterceptor(key: key)
      DNSBypassInterceptor(table, prober: nil)
      archive
    }
    let socket = try await WebSocket.connect(Request("ws://\(authority)/stream"), over: pipeline)
    #expect(try await greeting(socket) == .text("hello"))
    let handshakes = server.requests
    #expect(handshakes.count == 2 && handshakes.allSatisfy { $0.value(of: "Host") == authority })
    #expect(handshakes.map { $0.value(of: "Cookie") } == [nil, "id=7"])
    let signatures = handshakes.compactMap { $0.value(of: "Switchyard-Signature") }
    #expect(signatures.count == 2 && signatures[0] != signatures[1])
    let text = String(decoding: archive.archive(), as: UTF8.self)
    #expect(text.contains("\"status\":101") && text.contains("\"status\":503"))
    #expect(!text.contains("id=7") && !text.contains(signatures[1]))
  }

  @Test("A redirect is not followed but thrown")
  func redirect() async throws {
    let server = try server([ScriptedReply(status: 302, fields: [("Location", "/stream")])])
    let pipeline = try Pipeline(over: CurlDispatcher()) { RedirectInterceptor() }
    let kind = await kind { _ = try await WebSocket.connect(request(server), over: pipeline) }
    #expect(kind == .refused && server.requests.count == 1)
  }

  @Test("H5: a handshake that fails with 503 is retried")
  func retry() async throws {
    let server = try server([ScriptedReply(status: 503), ScriptedReply(status: 503)])
    let pipeline = try Pipeline(over: CurlDispatcher()) {
      RetryInterceptor(RetryPolicy(backOff: RetryBackOff(base: .milliseconds(1))))
    }
    let socket = try await WebSocket.connect(request(server), over: pipeline)
    #expect(socket.exchange.attempts == 3)
    #expect(try await greeting(socket) == .text("hello"))
  }

  @Test("H5: after a 401 the token is refreshed, and the handshake sent again with the new one")
  func refresh() async throws {
    let server = try server([ScriptedReply(status: 401)])
    let bearer = BearerAuthorization(from: NewToken(), starting: try AccessToken("old"))
    let authorization = try AuthorizationInterceptor(bearer, for: ["http://\(server.authority)"])
    let pipeline = try Pipeline(over: CurlDispatcher()) { authorization }
    let socket = try await WebSocket.connect(request(server), over: pipeline)
    #expect(try await greeting(socket) == .text("hello"))
    #expect(server.requests.map { $0.value(of: "Authorization") } == ["Bearer old", "Bearer new"])
  }

  @Test("A rate limit delays handshakes, and a switch closes a circuit like any other success")
  func limits() async throws {
    let server = try server([ScriptedReply(status: 500)])
    let clock = TestClock()
    let pipeline = try Pipeline(over: CurlDispatcher()) {
      RetryInterceptor(
        RetryPolicy(attemptLimit: 1), circuitBreaker: CircuitBreaker(failureLimit: 2, pause: .seconds(60)))
      RateLimitInterceptor(RateLimit(2, per: .seconds(1)), time: TimeSource(clock))
    }
    for expected in [WebSocketError.Kind.refused, nil] {
      #expect(await kind { _ = try await WebSocket.connect(request(server), over: pipeline) } == expected)
    }
    async let third = WebSocket.connect(request(server), over: pipeline)
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    #expect(try await greeting(third) == .text("hello"))
  }

  @Test("The time limit of a call ends a handshake, and not an open connection")
  func deadline() async throws {
    let silent = try ScriptedServer(raw: { _, wire in wire.waitForClose() })
    var late = try request(silent)
    late.options.timeouts.call = .milliseconds(50)
    let pipeline = try Pipeline(over: CurlDispatcher()) {}
    let error = await #expect(throws: WebSocketError.self) {
      _ = try await WebSocket.connect(late, over: pipeline)
    }
    #expect(error?.networkError?.kind == .timeout(.call))
    // On a busy machine the limit may have passed before the server accepted the connection.
    try await silent.wait { $0.closed == $0.accepted }

    let gate = Watched(false)
    let server = try ScriptedServer.switching { peer in
      _ = try peer.next()
      gate.update { $0 = true }
      try peer.send(.text("late"))
      peer.wire.waitForClose()
    }
    var limited = try request(server)
    limited.options.timeouts.call = .seconds(2)
    limited.options.timeouts.idle = .seconds(2)
    let socket = try await WebSocket.connect(limited, over: pipeline)
    // Both limits have passed once three calls beside it have reached theirs.
    for _ in 0..<4 {
      var other = late
      other.options.timeouts.call = .milliseconds(600)
      _ = try? await pipeline.send(other.with(scheme: "http"))
    }
    try await socket.send(.text("now"))
    #expect(try await greeting(socket) == .text("late"))
  }

  @Test(
    "The limit of the first byte and the end of the connection end a handshake", arguments: [true, false])
  func phases(acceptsConnection: Bool) async throws {
    let server = try ScriptedServer(raw: { _, wire in
      if acceptsConnection { wire.waitForClose() }
    })
    var request = try request(server)
    // A limit that a busy machine reaches would hide the end of the connection.
    request.options.timeouts.firstByte = acceptsConnection ? .milliseconds(50) : .seconds(30)
    let error = await #expect(throws: WebSocketError.self) {
      _ = try await WebSocket.connect(request, over: CurlDispatcher())
    }
    #expect(error?.networkError?.kind == (acceptsConnection ? .timeout(.firstByte) : .transport))
  }

  @Test("H5: a cancelled handshake, a released socket and a shutdown each close their connection")
  func closing() async throws {
    let silent = try ScriptedServer(raw: { _, wire in wire.waitForClose() })
    let dispatcher = CurlDispatcher()
    let handshake = Task { try await WebSocket.connect(request(silent), over: dispatcher) }
    try await silent.wait { $0.requests == 1 }
    handshake.cancel()
    #expect(await kind { _ = try await handshake.value } == .cancelled)
    try await silent.wait { $0.closed == 1 }
    #expect(OpenSockets.count(to: silent.port) == 0)

    let server = try server([])
    var socket: WebSocket? = try await WebSocket.connect(request(server), over: dispatcher)
    #expect(OpenSockets.count(to: server.port) == 1)
    #expect(socket?.isClosed == false)
    socket = nil
    try await server.wait { $0.closed == 1 }

    let last = try await WebSocket.connect(request(server), over: dispatcher)
    #expect(try await greeting(last) == .text("hello"))
    await dispatcher.shutdown()
    #expect(OpenSockets.count(to: server.port) == 0)
    let error = await #expect(throws: WebSocketError.self) {
      for try await _ in last.messages {}
    }
    #expect(error?.networkError?.kind == .cancelled(.shutdown))
  }

  @Test("A dispatcher that can't switch protocols is refused before it is called")
  func unsupported() async throws {
    let dispatcher = ScriptedDispatcher()
    let error = await #expect(throws: WebSocketError.self) {
      _ = try await WebSocket.connect(Request("wss://a.test/"), over: dispatcher)
    }
    #expect(error?.networkError?.kind == .unsupported)
    #expect(dispatcher.requests.isEmpty)
  }

  @Test("An open connection holds no place of a request")
  func places() async throws {
    let server = try server([])
    var limits = CurlDispatcher.Limits()
    (limits.total, limits.perOrigin) = (1, 1)
    let dispatcher = CurlDispatcher(configuration: .init(limits: limits))
    var sockets: [WebSocket] = []
    for _ in 0..<3 { sockets.append(try await WebSocket.connect(request(server), over: dispatcher)) }
    for socket in sockets { #expect(try await greeting(socket) == .text("hello")) }
    #expect(OpenSockets.count(to: server.port) == 3)
  }
}
