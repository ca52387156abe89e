import CommandRunning
import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import Testing
import WebSocketCompression

@testable import WebSockets

/// Against Python's `websockets`.
@Suite(
  "WebSocket beside Python's websockets", .serialized, .timeLimit(.minutes(5)),
  .enabled(if: PythonWebSocketServer.runsSuites))
struct WebSocketPeerTests {
  /// Exchanges messages of all kinds, and closes.
  private func converse(_ socket: WebSocket) async throws {
    var iterator = socket.messages.makeAsyncIterator()
    for text in ["", "añ€😀", String(repeating: "long ", count: 100_000)] {
      try await socket.send(.text(text))
      #expect(try await iterator.next() == .text(text))
    }
    for count in [0, 125, 126, 65_536, 1 << 20] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      try await socket.send(.binary(bytes))
      #expect(try await iterator.next() == .binary(bytes))
    }
    try await socket.send(.text("fragments"))
    #expect(try await iterator.next() == .text("fragments"))
    try await socket.send(.text("ping"))
    #expect(try await iterator.next() == .text("pong came"))
    #expect(try await socket.ping() > .zero)
    try await socket.send(.text("close 4001"))
    let error = await #expect(throws: WebSocketError.self) { _ = try await iterator.next() }
    let closure = WebSocketClosure(code: .init(rawValue: 4001), reason: "as you wish")
    #expect(error?.kind == .closed(closure) && socket.closure == closure)
  }

  @Test(
    "H5: messages, fragments, pings and close codes pass, with and without TLS", arguments: [false, true])
  func conversation(isSecure: Bool) async throws {
    let folder = try TemporaryFolder(prefix: "certificates")
    let certificates = isSecure ? try await CertificateSet(in: folder.url) : nil
    let server = try await PythonWebSocketServer(certificates)
    var configuration = CurlDispatcher.Configuration()
    if let certificates { configuration.tls.authorityFile = certificates.authorityFile }
    let dispatcher = CurlDispatcher(configuration: configuration)
    let scheme = isSecure ? "wss" : "ws"
    let socket = try await WebSocket.connect(
      Request("\(scheme)://localhost:\(server.port)/"), over: dispatcher)
    try await converse(socket)
    #expect(socket.exchange.transport?.version == .http1)
    await dispatcher.shutdown()
    #expect(OpenSockets.count(to: server.port) == 0)
  }

  @Test(
    "H5: Compressed messages pass in both directions, with and without the server's context",
    arguments: [true, false])
  func compression(retainsContext: Bool) async throws {
    let server = try await PythonWebSocketServer()
    var configuration = WebSocketConfiguration()
    var compression = WebSocketConfiguration.Compression()
    compression.retainsContext = retainsContext
    configuration.compression = compression
    let socket = try await WebSocket.connect(
      Request("ws://127.0.0.1:\(server.port)/"), over: CurlDispatcher(), configuration: configuration)
    #expect(socket.isCompressed)
    var iterator = socket.messages.makeAsyncIterator()
    try await socket.send(.text("extensions"))
    // What the server remembers of this side's messages, and of its own.
    #expect(
      try await iterator.next() == .text("permessage-deflate False \(retainsContext ? "True" : "False")"))
    try await converse(socket)
  }

  @Test("A server that declines compression gets messages as they are")
  func declinedCompression() async throws {
    let server = try await PythonWebSocketServer(compresses: false)
    var configuration = WebSocketConfiguration()
    configuration.compression = .init()
    let socket = try await WebSocket.connect(
      Request("ws://127.0.0.1:\(server.port)/"), over: CurlDispatcher(), configuration: configuration)
    #expect(!socket.isCompressed)
    try await converse(socket)
  }

  @Test("A certificate without an authority and one with another key than the pinned fail the handshake")
  func distrust() async throws {
    let folder = try TemporaryFolder(prefix: "certificates")
    let certificates = try await CertificateSet(in: folder.url)
    let server = try await PythonWebSocketServer(certificates)
    let request = try Request("wss://localhost:\(server.port)/")
    let untrusted = await #expect(throws: WebSocketError.self) {
      _ = try await WebSocket.connect(request, over: CurlDispatcher())
    }
    #expect(untrusted?.networkError?.kind == .tls(.untrusted))
    var configuration = CurlDispatcher.Configuration()
    configuration.tls.authorityFile = certificates.authorityFile
    let pins = [try await certificates.pin(.expired), try await certificates.pin(.selfSigned)]
    configuration.tls.pins = try PublicKeyPins(["localhost": pins])
    let pinned = await #expect(throws: WebSocketError.self) {
      _ = try await WebSocket.connect(request, over: CurlDispatcher(configuration: configuration))
    }
    #expect(pinned?.networkError?.kind == .tls(.pinMismatch))
  }

  @Test(
    "Both kinds of proxies tunnel a handshake, also one without TLS", arguments: [Proxy.Kind.http, .socks5])
  func proxies(kind: Proxy.Kind) async throws {
    let server = try await PythonWebSocketServer()
    let proxy = try ProxyServer(kind == .http ? .http : .socks5)
    var configuration = CurlDispatcher.Configuration()
    configuration.proxies = ProxyPolicy(Proxy(kind, host: "127.0.0.1", port: proxy.port))
    let socket = try await WebSocket.connect(
      Request("ws://127.0.0.1:\(server.port)/"), over: CurlDispatcher(configuration: configuration))
    var iterator = socket.messages.makeAsyncIterator()
    try await socket.send(.text("through"))
    #expect(try await iterator.next() == .text("through"))
    await socket.close()
  }

  @Test("A connect target decides the address, and the path and fields arrive")
  func target() async throws {
    let server = try await PythonWebSocketServer()
    var request = try Request("ws://name.invalid:\(server.port)/a%20b?c=d")
    request.context.connectTarget = ConnectTarget(address: "127.0.0.1")
    let name = try #require(HTTPField.Name("X-Name"))
    request.head.headerFields[name] = "value"
    let socket = try await WebSocket.connect(request, over: CurlDispatcher())
    var iterator = socket.messages.makeAsyncIterator()
    try await socket.send(.text("path"))
    #expect(try await iterator.next() == .text("/a%20b?c=d value"))
    await socket.close()
  }

  @Test("The server selects an offered subprotocol that it knows, or none")
  func subprotocols() async throws {
    let server = try await PythonWebSocketServer()
    for (offered, selected) in [(["chat.v9", "chat.v1"], "chat.v1"), ([], nil)] as [([String], String?)] {
      var configuration = WebSocketConfiguration()
      configuration.subprotocols = offered
      let socket = try await WebSocket.connect(
        Request("ws://127.0.0.1:\(server.port)/"), over: CurlDispatcher(), configuration: configuration)
      #expect(socket.subprotocol == selected)
      await socket.close()
      #expect(socket.closure?.code == .normal)
    }
  }
}
