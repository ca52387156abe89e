import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing
import SwitchyardTesting
import Testing

@testable import WebSockets

@Suite("WebSocket over the wire", .timeLimit(.minutes(5)))
struct WebSocketWireTests {
  private func connect(
    to server: ScriptedServer, over dispatcher: CurlDispatcher = CurlDispatcher(),
    _ configure: (inout WebSocketConfiguration) -> Void = { _ in }
  ) async throws -> WebSocket {
    var configuration = WebSocketConfiguration()
    configure(&configuration)
    return try await WebSocket.connect(
      Request("ws://\(server.authority)/news?since=4"), over: dispatcher, configuration: configuration)
  }

  private func error(_ body: () async throws(WebSocketError) -> Void) async -> WebSocketError? {
    do throws(WebSocketError) {
      try await body()
      return nil
    } catch {
      return error
    }
  }

  @Test("H5: texts and bytes of every length come back, and the connection closes with a code")
  func echo() async throws {
    let server = try ScriptedServer.echo()
    let socket = try await connect(to: server)
    var iterator = socket.messages.makeAsyncIterator()
    for count in [0, 1, 125, 126, 65_535, 65_536, 1_000_000] {
      let bytes = [UInt8](repeating: 0xA5, count: count)
      try await socket.send(.binary(bytes))
      #expect(try await iterator.next() == .binary(bytes))
    }
    try await socket.send(.text("añ€😀"))
    #expect(try await iterator.next() == .text("añ€😀"))
    #expect(try await socket.ping() > .zero)
    await socket.close(.goingAway, reason: "done")
    #expect(socket.closure == WebSocketClosure(code: .goingAway, reason: "done"))
    #expect(try await iterator.next() == nil)
    let failure = await error { () async throws(WebSocketError) in try await socket.send(.text("late")) }
    #expect(failure?.kind == .closed(socket.closure))
  }

  @Test("A connection beyond the maximum fails before its handshake, and a closed one makes room")
  func maximum() async throws {
    let server = try ScriptedServer.switching { peer in
      while let frame = try peer.next(), frame.type != .close {}
      try peer.send(.close(1000))
      peer.wire.waitForClose()
    }
    let dispatcher = CurlDispatcher(configuration: .init(limits: .init(upgrades: 2)))
    let first = try await connect(to: server, over: dispatcher)
    let second = try await connect(to: server, over: dispatcher)
    let failure = await #expect(throws: WebSocketError.self) {
      _ = try await connect(to: server, over: dispatcher)
    }
    #expect(failure?.networkError?.kind == .queueFull)
    #expect(failure?.networkError?.requestMayHaveBeenProcessed == false)
    #expect(failure?.reason.contains("2 connections") == true)
    #expect(server.requests.count == 2)
    await first.close()
    // The server sees the ends of the refused one and of the first when the dispatcher has released them.
    try await server.wait { $0.closed == 2 }
    let third = try await connect(to: server, over: dispatcher)
    #expect(!second.isClosed && !third.isClosed)
    await dispatcher.shutdown()
  }

  @Test("The handshake is a GET with the fields of RFC 6455, and the request's own")
  func handshake() async throws {
    let server = try ScriptedServer.echo()
    var request = try Request("ws://\(server.authority)/news?since=4")
    request.head.headerFields[.authorization] = "Bearer token"
    _ = try await WebSocket.connect(request, over: CurlDispatcher())
    let received = try #require(server.requests.first)
    #expect(received.method == "GET" && received.target == "/news?since=4")
    #expect(received.value(of: "Host") == server.authority)
    #expect(received.value(of: "Connection") == "Upgrade" && received.value(of: "Upgrade") == "websocket")
    #expect(received.value(of: "Sec-WebSocket-Version") == "13")
    #expect(received.value(of: "Authorization") == "Bearer token")
    #expect(received.value(of: "Accept-Encoding") == nil && received.value(of: "Accept") == nil)
  }

  @Test("Messages that arrive with the head of the handshake are not lost")
  func earlyMessages() async throws {
    let server = try ScriptedServer(raw: { request, wire in
      let frames = ServerFrame.text("first").bytes + ServerFrame.text("second").bytes
      try wire.send(Array(try FrameWire.acceptance(of: request).utf8) + frames)
      wire.waitForClose()
    })
    let socket = try await connect(to: server)
    var iterator = socket.messages.makeAsyncIterator()
    #expect(try await iterator.next() == .text("first"))
    #expect(try await iterator.next() == .text("second"))
  }

  @Test(
    "H5: a server that violates the protocol receives the code, and reading throws it",
    arguments: [
      (ServerFrame(opcode: 1, payload: [0x61], isMasked: true).bytes, 1002),
      (ServerFrame(opcode: 1, reserved: 4, payload: [0x61]).bytes, 1002), ([0x82, 127, 0x80], 1002),
      (ServerFrame(opcode: 1, payload: [0xC3, 0x28]).bytes, 1007),
      (ServerFrame.binary([UInt8](repeating: 0, count: 3000)).bytes, 1009),
      ((0..<200).flatMap { _ in ServerFrame.ping().bytes }, 1008),
    ] as [([UInt8], UInt16)])
  func violations(bytes: [UInt8], code: UInt16) async throws {
    let told = Watched<[WebSocketClosure?]>([])
    let server = try ScriptedServer.switching { peer in
      try peer.wire.send(bytes)
      let closure = try? peer.closure()
      told.update { $0.append(closure) }
    }
    let socket = try await connect(to: server) { $0.maximumMessageLength = 2000 }
    let failure = await error { () async throws(WebSocketError) in
      for try await _ in socket.messages {}
    }
    #expect(failure?.kind == .protocolViolation(.init(rawValue: code)))
    #expect(try await told.wait { !$0.isEmpty } == [WebSocketClosure(code: .init(rawValue: code))])
  }

  @Test("A close frame with the code 1000 or none ends the messages, and any other code is thrown")
  func closures() async throws {
    for code in [1000, nil, 1001, 1011, 4321] as [UInt16?] {
      let answered = Watched<[WebSocketClosure?]>([])
      let server = try ScriptedServer.switching { peer in
        try peer.send(.text("last"), .close(code, code == nil ? [] : Array("bye".utf8)))
        let closure = try? peer.closure()
        answered.update { $0.append(closure) }
      }
      let socket = try await connect(to: server)
      var messages: [WebSocketMessage] = []
      let failure = await error { () async throws(WebSocketError) in
        for try await message in socket.messages { messages.append(message) }
      }
      let closure = WebSocketClosure(code: code.map { .init(rawValue: $0) }, reason: code == nil ? "" : "bye")
      #expect(messages == [.text("last")])
      #expect(failure?.kind == (code == nil || code == 1000 ? nil : .closed(closure)))
      #expect(socket.closure == closure)
      let answer = WebSocketClosure(code: closure.code)
      #expect(try await answered.wait { !$0.isEmpty } == [answer])
    }
  }

  @Test("A connection that ends without a close frame is an error")
  func cut() async throws {
    for isReset in [false, true] {
      let server = try ScriptedServer.switching { peer in
        try peer.send(.text("last"))
        _ = try peer.next()
        if isReset { peer.wire.reset() }
      }
      let socket = try await connect(to: server)
      var iterator = socket.messages.makeAsyncIterator()
      #expect(try await iterator.next() == .text("last"))
      try await socket.send(.text("go"))
      let failure = await error { () async throws(WebSocketError) in _ = try await iterator.next() }
      #expect(failure?.kind == .network && failure?.networkError?.kind == .transport)
    }
  }

  @Test("A response with another status is thrown, with its head and a bounded body")
  func refusals() async throws {
    let replies = [
      ScriptedReply.text("no such stream", status: 404),
      ScriptedReply(status: 200, body: Array("<html>".utf8), framing: .close),
      ScriptedReply(status: 503, body: [UInt8](repeating: 0x61, count: 200_000), framing: .chunks(of: 1000)),
      ScriptedReply(status: 302, fields: [("Location", "/elsewhere")]), ScriptedReply(status: 204),
    ]
    for reply in replies {
      let server = try ScriptedServer { _ in reply }
      let failure = await error { () async throws(WebSocketError) in
        _ = try await WebSocket.connect(
          Request(authority: server.authority, path: "/").with(scheme: "ws"), over: CurlDispatcher())
      }
      #expect(failure?.kind == .refused)
      #expect(failure?.response?.status.code == reply.status)
      guard case .bytes(let bytes)? = failure?.response?.body else {
        Issue.record("The body is not in memory")
        continue
      }
      #expect(bytes == Array(reply.body.prefix(64 << 10)))
    }
  }

  @Test("A response with the status 200 whose body never ends is thrown with the first 64 KiB")
  func endlessRefusal() async throws {
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
      while true { try wire.send([UInt8](repeating: 0x61, count: 4096)) }
    })
    let failure = await error { () async throws(WebSocketError) in
      do { _ = try await connect(to: server) } catch let error as WebSocketError { throw error } catch {
        Issue.record(error)
      }
    }
    #expect(failure?.kind == .refused && failure?.response?.status.code == 200)
    guard case .bytes(let bytes)? = failure?.response?.body else {
      Issue.record("The body is not in memory")
      return
    }
    #expect(bytes == [UInt8](repeating: 0x61, count: 64 << 10))
    try await server.wait { $0.closed == 1 }
  }

  @Test(
    "A server that switches in a wrong way is refused",
    arguments: [
      "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
      "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: AAAA\r\n\r\n",
      "HTTP/1.1 101 X\r\n\r\n",
    ])
  func wrongSwitch(head: String) async throws {
    let server = try ScriptedServer(raw: { _, wire in
      try wire.send(head)
      wire.waitForClose()
    })
    let failure = await error { () async throws(WebSocketError) in
      do { _ = try await connect(to: server) } catch let error as WebSocketError { throw error } catch {
        Issue.record(error)
      }
    }
    #expect(failure?.kind == .handshakeFailed)
    try await server.wait { $0.closed == 1 }
  }

  @Test("Endless informational responses end the handshake")
  func endlessInformational() async throws {
    let server = try ScriptedServer(raw: { _, wire in
      while true { try wire.send("HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n") }
    })
    let failure = await error { () async throws(WebSocketError) in
      do { _ = try await connect(to: server) } catch let error as WebSocketError { throw error } catch {
        Issue.record(error)
      }
    }
    #expect(failure?.networkError?.kind == .protocolViolation)
    try await server.wait { $0.closed == 1 }
  }

  @Test("An informational response before the switch is skipped")
  func informational() async throws {
    let server = try ScriptedServer(raw: { request, wire in
      try wire.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
      try wire.send(try FrameWire.acceptance(of: request))
      try FrameWire(request, wire).send(.text("hello"))
      wire.waitForClose()
    })
    let socket = try await connect(to: server)
    var iterator = socket.messages.makeAsyncIterator()
    #expect(try await iterator.next() == .text("hello"))
  }
}

extension Request {
  /// Returns the request with another scheme.
  func with(scheme: String) -> Request {
    var copy = self
    copy.head.scheme = scheme
    return copy
  }
}
