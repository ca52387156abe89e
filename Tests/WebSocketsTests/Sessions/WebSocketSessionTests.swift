import Interception
import SwitchyardTesting
import Synchronization
import Testing

@testable import WebSockets

@Suite("WebSocket session", .timeLimit(.minutes(5)))
struct WebSocketSessionTests {
  private let connection = MemoryConnection()
  private let clock = TestClock()

  private func open(_ configure: (inout WebSocketConfiguration) -> Void = { _ in }) async throws -> WebSocket
  {
    var configuration = WebSocketConfiguration()
    configuration.pingInterval = nil
    configure(&configuration)
    return try await WebSocket.connect(
      Request("wss://api.test/"), over: SwitchingDispatcher([.connection(connection)]),
      configuration: configuration, time: TimeSource(clock))
  }

  @Test("A ping is sent after the interval of silence, and silence after it ends the connection")
  func keepAlive() async throws {
    let socket = try await open {
      $0.pingInterval = .seconds(30)
      $0.pongTimeout = .seconds(20)
    }
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(30))
    #expect(await connection.waitForFrames(1).map(\.type) == [.ping])
    try await clock.waitForSleepers()
    connection.receive(.pong())
    connection.receive(.text("alive"))
    var iterator = socket.messages.makeAsyncIterator()
    #expect(try await iterator.next() == .text("alive"))
    // The limit of the first ping passes; the silence began with the message.
    clock.advance(by: .seconds(20))
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(10))
    #expect(await connection.waitForFrames(2).map(\.type) == [.ping, .ping])
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(20))
    let error = await #expect(throws: WebSocketError.self) { _ = try await iterator.next() }
    #expect(error?.kind == .pongTimeout && connection.isClosed)
  }

  @Test("The server's pings are answered with their payload")
  func pongs() async throws {
    let socket = try await open()
    connection.receive(.ping([1, 2, 3]), .ping())
    let frames = await connection.waitForFrames(2)
    #expect(frames.map(\.type) == [.pong, .pong] && frames.map(\.payload) == [[1, 2, 3], []])
    #expect(!socket.isClosed)
  }

  @Test("A ping without a pong fails after its limit, and the connection stays open")
  func unansweredPing() async throws {
    let socket = try await open { $0.pongTimeout = .seconds(5) }
    let ping = Task { try await socket.ping() }
    _ = await connection.waitForFrames(1)
    connection.receive(.pong([9]))
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(5))
    let error = await #expect(throws: WebSocketError.self) { _ = try await ping.value }
    #expect(error?.kind == .pongTimeout && !socket.isClosed)
  }

  @Test("No message follows the close frame, even if it waits for room when the connection is closed")
  func closingWhileSending() async throws {
    let socket = try await open()
    let (isWaiting, hasRoom) = (WaitableValue(false), WaitableValue(false))
    let waitForRoom: @Sendable () async -> Void = {
      isWaiting.update { $0 = true }
      _ = try? await hasRoom.wait { $0 }
    }
    connection.onWrite.withLock { $0 = waitForRoom }
    let sending = Task { try await socket.send(.text("last")) }
    try await isWaiting.wait { $0 }
    let closing = Task { await socket.close() }
    try await clock.waitForSleepers()
    await #expect(throws: WebSocketError.self) { try await socket.send(.text("later")) }
    hasRoom.update { $0 = true }
    try await sending.value
    #expect(await connection.waitForFrames(2).map(\.type) == [.text, .close])
    connection.receive(.close(1000))
    await closing.value
  }

  @Test("A server that never responds to a close frame is waited for up to the limit")
  func closeTimeout() async throws {
    let socket = try await open { $0.closeTimeout = .seconds(10) }
    async let closed: Void = socket.close(.normal, reason: "enough")
    let frames = await connection.waitForFrames(1)
    #expect(
      try WebSocketClosure(payload: frames[0].payload) == WebSocketClosure(code: .normal, reason: "enough"))
    // What arrives meanwhile is dropped, and nothing more is sent.
    connection.receive(.text("late"), .ping())
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(10))
    await closed
    #expect(connection.isClosed && connection.frames.count == 1 && socket.closure == nil)
    for try await message in socket.messages { Issue.record("\(message)") }
  }

  @Test("A cancelled close no longer waits, and its limit still ends the connection")
  func cancelledClose() async throws {
    let socket = try await open { $0.closeTimeout = .seconds(10) }
    let closing = Task { await socket.close() }
    #expect(await connection.waitForFrames(1).map(\.type) == [.close])
    closing.cancel()
    await closing.value
    #expect(!socket.isClosed)
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(10))
    await socket.waitUntilClosed()
    #expect(socket.isClosed && connection.isClosed)
  }

  @Test("Closing while messages are unread reaches the server's close frame behind them")
  func closeWithUnreadMessages() async throws {
    let socket = try await open { $0.receiveBuffer = 64 }
    for _ in 0..<100 { connection.receive(.text("unread")) }
    async let closed: Void = socket.close()
    _ = await connection.waitForFrames(1)
    connection.receive(.close(1000))
    await closed
    #expect(socket.closure == WebSocketClosure(code: .normal) && connection.isClosed)
  }

  @Test("A cancelled reader gets an error, and the next one the message")
  func cancelledReader() async throws {
    let socket = try await open()
    let reader = Task {
      var iterator = socket.messages.makeAsyncIterator()
      return try await iterator.next()
    }
    reader.cancel()
    let error = await #expect(throws: WebSocketError.self) { _ = try await reader.value }
    #expect(error?.kind == .cancelled)
    connection.receive(.text("next"))
    var iterator = socket.messages.makeAsyncIterator()
    #expect(try await iterator.next() == .text("next"))
  }

  @Test("A released socket closes its connection and ends its tasks")
  func release() async throws {
    var socket: WebSocket? = try await open { $0.pingInterval = .seconds(1) }
    weak let session = socket?.session
    #expect(session?.end == nil)
    socket = nil
    #expect(connection.isClosed)
    try await waitUntil("the session is released") { session == nil }
  }

  @Test("The messages before the end are read, also after it")
  func lateReader() async throws {
    let socket = try await open()
    connection.receive(.text("one"), .binary([2]), .close(1011))
    await socket.waitUntilClosed()
    var iterator = socket.messages.makeAsyncIterator()
    #expect(try await iterator.next() == .text("one"))
    #expect(try await iterator.next() == .binary([2]))
    let error = await #expect(throws: WebSocketError.self) { _ = try await iterator.next() }
    #expect(error?.kind == .closed(WebSocketClosure(code: .internalError)))
  }
}

@Suite("KeepAlive")
struct KeepAliveTests {
  @Test("Silence while no message is read means nothing")
  func pauses() {
    var keepAlive = KeepAlive(interval: .seconds(10), limit: .seconds(5), at: .zero)
    #expect(keepAlive.next(at: .seconds(4)) == .wait(.seconds(6)))
    #expect(keepAlive.next(at: .seconds(10)) == .ping)
    #expect(keepAlive.next(at: .seconds(11)) == .wait(.seconds(4)))
    keepAlive.notePaused()
    #expect(keepAlive.next(at: .seconds(60)) == .wait(.seconds(10)))
    keepAlive.noteReceived(at: .seconds(61))
    #expect(keepAlive.next(at: .seconds(62)) == .wait(.seconds(9)))
    #expect(keepAlive.next(at: .seconds(71)) == .ping)
    #expect(keepAlive.next(at: .seconds(76)) == .timeOut)
  }

  @Test("An interval of zero does not send pings without pause")
  func zero() {
    var keepAlive = KeepAlive(interval: .zero, limit: .zero, at: .zero)
    #expect(keepAlive.next(at: .zero) == .wait(.milliseconds(10)))
  }
}

@Suite("CloseHandshake")
struct CloseHandshakeTests {
  @Test("A close frame is held back by the messages that are being sent, unless the connection ends by it")
  func heldBack() {
    var handshake = CloseHandshake()
    let begun = [handshake.beginSending(), handshake.beginSending()]
    let (closure, other) = (WebSocketClosure(code: .normal), WebSocketClosure(code: .goingAway))
    let frames = [handshake.close(with: closure), handshake.close(with: other)]
    #expect(begun == [true, true] && frames == [nil, nil] && handshake.isLocal)
    let late = handshake.beginSending()
    let ends = [handshake.endSending(), handshake.endSending()]
    #expect(!late && ends == [nil, closure])

    var ending = CloseHandshake()
    _ = ending.beginSending()
    let response = ending.receive(closure)
    let afterwards = ending.endSending()
    #expect(response?.code == .normal && afterwards == nil && !ending.isLocal)
  }

  @Test("Each side's close frame is answered once, and the first one decides who closed")
  func order() {
    var local = CloseHandshake()
    #expect(local.close(with: .init(code: .normal)) != nil && local.isLocal && !local.maySend)
    #expect(local.close(with: .init(code: .normal)) == nil)
    #expect(local.receive(.init(code: .goingAway)) == nil && local.received?.code == .goingAway)
    var remote = CloseHandshake()
    #expect(remote.receive(.init(code: .goingAway, reason: "why")) == .init(code: .goingAway))
    #expect(!remote.isLocal && !remote.maySend && remote.close(with: .init(code: .normal)) == nil)
    var silent = CloseHandshake()
    #expect(silent.receive(.init(code: nil)) == WebSocketClosure(code: nil))
  }
}
