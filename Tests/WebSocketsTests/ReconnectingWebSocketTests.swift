import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import Testing

@testable import WebSockets

@Suite("ReconnectingWebSocket", .timeLimit(.minutes(5)))
struct ReconnectingWebSocketTests {
  private let clock = TestClock()

  private func socket(
    _ steps: [SwitchingDispatcher.Step], policy: WebSocketConfiguration.Reconnection = .init(),
    onConnect: @escaping @Sendable (WebSocket) async throws -> Void = { _ in }
  ) -> ReconnectingWebSocket {
    var configuration = WebSocketConfiguration()
    configuration.pingInterval = nil
    return ReconnectingWebSocket(
      over: SwitchingDispatcher(steps), configuration: configuration, policy: policy, time: TimeSource(clock),
      random: { 0.5 }, request: { try Request("wss://api.test/prices") }, onConnect: onConnect)
  }

  @Test("H5: messages continue over another connection, after a wait, with what onConnect sends")
  func reconnection() async throws {
    let (first, second) = (MemoryConnection(), MemoryConnection())
    let refusal = Response(status: .serviceUnavailable, headerFields: [.retryAfter: "7"])
    let socket = socket([
      .connection(first), .failure(NetworkError(.connect, "refused")), .response(refusal),
      .connection(second),
    ]) { try await $0.send(.text("subscribe")) }
    // Each server closes only after the subscription, which would otherwise fail.
    let servers = Task {
      _ = await first.waitForFrames(1)
      first.receive(.text("one"), .close(1012))
      _ = await second.waitForFrames(1)
      second.receive(.text("two"), .close(1000))
    }
    let reader = Task {
      var messages: [WebSocketMessage] = []
      for try await message in socket.messages { messages.append(message) }
      return messages
    }
    // Half of 500 ms, half of 1 s, and what the server asked for.
    for wait in [Duration.milliseconds(250), .milliseconds(500), .seconds(7)] {
      try await clock.waitForSleepers()
      clock.advance(by: wait)
    }
    #expect(try await reader.value == [.text("one"), .text("two")])
    await servers.value
    #expect(first.frames.first?.payload == Array("subscribe".utf8))
    #expect(second.frames.first?.payload == Array("subscribe".utf8))
  }

  @Test("An error after which another attempt can't succeed is thrown")
  func givingUp() async throws {
    for status in [HTTPResponse.Status.forbidden, .notFound] {
      let socket = socket([.response(Response(status: status))])
      let error = await #expect(throws: WebSocketError.self) {
        for try await _ in socket.messages {}
      }
      #expect(error?.response?.status == status)
    }
  }

  @Test("The maximum of failures in a row is obeyed, and a stable connection starts the count anew")
  func maximum() async throws {
    var policy = WebSocketConfiguration.Reconnection()
    policy.maximumFailures = 1
    let connection = MemoryConnection()
    let failure = SwitchingDispatcher.Step.failure(NetworkError(.connect, "refused"))
    let socket = socket([failure, .connection(connection), failure, failure], policy: policy)
    let reader = Task { for try await _ in socket.messages {} }
    try await clock.waitForSleepers()
    clock.advance(by: .milliseconds(250))
    try await waitUntil("the socket is connected") { (try? await socket.send(.text("hi"))) != nil }
    clock.advance(by: .seconds(5))
    connection.end()
    try await clock.waitForSleepers()
    clock.advance(by: .milliseconds(250))
    let error = await #expect(throws: WebSocketError.self) { try await reader.value }
    #expect(error?.networkError?.kind == .connect)
  }

  @Test("Before a connection and after closing sending fails, and closing ends the messages for good")
  func closing() async throws {
    let connection = MemoryConnection()
    let socket = socket([.connection(connection)])
    let early = await #expect(throws: WebSocketError.self) { try await socket.send(.text("early")) }
    #expect(early?.kind == .notConnected)
    let reader = Task { for try await _ in socket.messages {} }
    try await waitUntil("the socket is connected") { (try? await socket.send(.text("hi"))) != nil }
    async let closed: Void = socket.close()
    _ = await connection.waitForFrames(2)
    connection.receive(.close(1000))
    await closed
    try await reader.value
    let late = await #expect(throws: WebSocketError.self) { try await socket.send(.text("late")) }
    #expect(late?.kind == .closed(nil))
    for try await message in socket.messages { Issue.record("\(message)") }
  }

  @Test("Closing between two attempts ends the wait and the messages, without another attempt")
  func closingWhileWaiting() async throws {
    let socket = socket([.failure(NetworkError(.connect, "refused"))])
    let reader = Task { for try await _ in socket.messages {} }
    try await clock.waitForSleepers()
    await socket.close()
    // The script has no second step, so that an attempt would fail.
    try await reader.value
  }

  @Test("Cancelling the reader ends the wait between two attempts")
  func cancellation() async throws {
    let socket = socket([.failure(NetworkError(.connect, "refused"))])
    let reader = Task { for try await _ in socket.messages {} }
    try await clock.waitForSleepers()
    reader.cancel()
    let error = await #expect(throws: WebSocketError.self) { try await reader.value }
    #expect(error?.kind == .cancelled)
  }
}

@Suite("WebSocketConfiguration.Reconnection")
struct ReconnectionPolicyTests {
  private let policy = WebSocketConfiguration.Reconnection()

  @Test(
    "It reconnects after codes and failures that pass",
    arguments: [
      (1000, false), (1001, true), (1002, false), (1003, false), (1008, false), (1009, false), (1011, true),
      (1012, true), (1013, true), (1014, true), (4000, false),
    ] as [(UInt16, Bool)])
  func codes(code: UInt16, reconnects: Bool) {
    let error = WebSocketError.closed(WebSocketClosure(code: .init(rawValue: code)))
    #expect(policy.reconnects(after: error) == reconnects)
  }

  @Test("It reconnects after failures of the network, and not after those of trust or of the request")
  func kinds() {
    let transient: [NetworkError.Kind] = [
      .connect, .resolve, .offline, .transport, .timeout(.connect), .queueFull,
    ]
    let lasting: [NetworkError.Kind] = [
      .tls(.untrusted), .invalidRequest, .cancelled(.shutdown), .rejected, .needsLogin,
    ]
    for kind in transient {
      #expect(policy.reconnects(after: WebSocketError(NetworkError(kind, "it failed"))))
    }
    for kind in lasting {
      #expect(!policy.reconnects(after: WebSocketError(NetworkError(kind, "it failed"))))
    }
    #expect(policy.reconnects(after: .lost) && policy.reconnects(after: .pongTimeout(.seconds(1))))
    #expect(!policy.reconnects(after: .violation(.invalidText)) && !policy.reconnects(after: .cancelled))
  }

  @Test("No wait is shorter than 100 ms, whatever the policy, the server and chance say")
  func shortestWait() {
    var policy = policy
    let busy = Response(status: .serviceUnavailable, headerFields: [.retryAfter: "0"])
    for (first, maximum) in [
      (Duration.milliseconds(500), Duration.seconds(60)), (.zero, .zero), (.seconds(-1), .zero),
    ] {
      (policy.firstLimit, policy.maximumWait) = (first, maximum)
      for error in [WebSocketError.lost, .refused(busy)] {
        for failures in [1, 2, 1_000_000] {
          #expect(policy.wait(after: error, failures: failures, random: 0) == .milliseconds(100))
        }
      }
    }
  }

  @Test("The wait doubles up to its maximum")
  func waits() {
    let waits = (1...12).map { policy.wait(after: .lost, failures: $0, random: 0.5) }
    #expect(waits[0] == .milliseconds(250) && waits[1] == .milliseconds(500) && waits[6] == .seconds(16))
    #expect(waits[7...].allSatisfy { $0 == .seconds(30) })
    #expect(policy.wait(after: .lost, failures: 1_000_000, random: 0.999)?.components.seconds == 59)
  }
}
