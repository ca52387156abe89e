public import Interception
import Synchronization

/// A WebSocket that connects again when its connection is lost.
///
/// ```swift
/// let prices = ReconnectingWebSocket(over: pipeline) {
///   try Request("wss://api.example.com/prices")
/// } onConnect: { socket in
///   try await socket.send(.text("subscribe"))
/// }
/// for try await message in prices.messages { show(message) }
/// ```
///
/// It has no task of its own: the task that iterates ``messages`` connects, waits between attempts, and ends
/// all of it when it is cancelled. What was sent and not processed before a connection was lost is not sent
/// again; `onConnect` brings a new connection into the state that the app needs.
public final class ReconnectingWebSocket: Sendable {
  private struct State: Sendable {
    var socket: WebSocket?
    var isClosed = false
    var failures = 0
    var connectedAt: Duration?
    /// The wait before the next attempt.
    var wait: Task<Void, any Error>?
  }

  private let dispatcher: any Dispatcher
  private let configuration: WebSocketConfiguration
  private let policy: WebSocketConfiguration.Reconnection
  private let time: TimeSource
  private let request: @Sendable () async throws -> Request
  private let onConnect: @Sendable (WebSocket) async throws -> Void
  private let random: @Sendable () -> Double
  private let state = Mutex(State())

  /// Creates a WebSocket that connects when ``messages`` is iterated.
  ///
  /// - Parameters:
  ///   - dispatcher: A pipeline that ends in a `CurlDispatcher`.
  ///   - configuration: The limits of each connection.
  ///   - policy: When it connects again.
  ///   - time: The clock of all waits.
  ///   - request: Makes the request of each handshake.
  ///   - onConnect: Called with each new connection before its messages are returned. An error that it throws
  ///     ends the connection, and the messages unless it is a ``WebSocketError`` after which it reconnects.
  public convenience init(
    over dispatcher: any Dispatcher, configuration: WebSocketConfiguration = WebSocketConfiguration(),
    policy: WebSocketConfiguration.Reconnection = WebSocketConfiguration.Reconnection(),
    time: TimeSource = .system, request: @escaping @Sendable () async throws -> Request,
    onConnect: @escaping @Sendable (WebSocket) async throws -> Void = { _ in }
  ) {
    self.init(
      over: dispatcher, configuration: configuration, policy: policy, time: time,
      random: { Double.random(in: 0..<1) }, request: request, onConnect: onConnect)
  }

  init(
    over dispatcher: any Dispatcher, configuration: WebSocketConfiguration,
    policy: WebSocketConfiguration.Reconnection, time: TimeSource, random: @escaping @Sendable () -> Double,
    request: @escaping @Sendable () async throws -> Request,
    onConnect: @escaping @Sendable (WebSocket) async throws -> Void
  ) {
    self.dispatcher = dispatcher
    self.configuration = configuration
    self.policy = policy
    self.time = time
    self.random = random
    self.request = request
    self.onConnect = onConnect
  }

  /// Sends a message over the present connection.
  ///
  /// - Throws: ``WebSocketError/Kind/notConnected`` between two connections.
  public func send(_ message: WebSocketMessage) async throws(WebSocketError) {
    let (socket, isClosed) = state.withLock { ($0.socket, $0.isClosed) }
    guard !isClosed else { throw .closed(nil) }
    guard let socket, !socket.isClosed else {
      throw WebSocketError(
        .notConnected,
        "There is no connection at the moment; send again in onConnect, or when messages arrive.")
    }
    try await socket.send(message)
  }

  /// Closes the connection and ends ``messages``; it never connects again.
  public func close(_ code: WebSocketCloseCode = .normal, reason: String = "") async {
    let socket = state.withLock { state in
      state.isClosed = true
      state.wait?.cancel()
      return state.socket
    }
    await socket?.close(code, reason: reason)
  }

  /// The messages of all connections in order.
  ///
  /// The sequence ends where that of a single connection ends without an error, and throws the error after
  /// which it does not connect again. Only one task at a time iterates it.
  public var messages: WebSocketMessages {
    WebSocketMessages { () async throws(WebSocketError) in try await self.next() }
  }

  /// Returns the next message; nil at the end.
  private func next() async throws(WebSocketError) -> WebSocketMessage? {
    while true {
      do throws(WebSocketError) {
        guard let socket = try await connected() else { return nil }
        return try await socket.session.next()
      } catch {
        try await recover(from: error)
      }
    }
  }

  /// Returns the present connection, or a new one; nil once it is closed.
  private func connected() async throws(WebSocketError) -> WebSocket? {
    let (present, isClosed) = state.withLock { ($0.socket, $0.isClosed) }
    if let present { return present }
    guard !isClosed else { return nil }
    let socket: WebSocket
    do {
      socket = try await WebSocket.connect(
        request(), over: dispatcher, configuration: configuration, time: time)
      try await onConnect(socket)
    } catch let error as WebSocketError {
      throw error
    } catch let error as NetworkError {
      throw WebSocketError(error)
    } catch is CancellationError {
      throw .cancelled
    } catch {
      throw WebSocketError(NetworkError(foreign: error, from: "A closure of ReconnectingWebSocket"))
    }
    let isLate = state.withLock { state in
      if !state.isClosed { (state.socket, state.connectedAt) = (socket, time.now()) }
      return state.isClosed
    }
    guard isLate else { return socket }
    await socket.close()
    return nil
  }

  /// Waits before the next attempt, or throws the error if there is none.
  private func recover(from error: WebSocketError) async throws(WebSocketError) {
    guard error.kind != .cancelled else { throw error }
    let now = time.now()
    let (failures, isClosed) = state.withLock { state in
      if let connectedAt = state.connectedAt, now - connectedAt >= policy.stableAfter { state.failures = 0 }
      state.failures += 1
      (state.socket, state.connectedAt) = (nil, nil)
      return (state.failures, state.isClosed)
    }
    guard !isClosed else { return }
    guard let wait = policy.wait(after: error, failures: failures, random: random()) else { throw error }
    let sleep = Task { [time] in try await time.sleep(for: wait) }
    state.withLock { state in
      state.wait = sleep
      if state.isClosed { sleep.cancel() }
    }
    await withTaskCancellationHandler {
      _ = await sleep.result
    } onCancel: {
      sleep.cancel()
    }
    state.withLock { $0.wait = nil }
    if Task.isCancelled { throw .cancelled }
  }
}
