public import HTTPTypes
public import Interception

/// An open WebSocket (RFC 6455), whose handshake was a request of a pipeline.
///
/// ```swift
/// let request = try Request("wss://api.example.com/news")
/// let socket = try await WebSocket.connect(request, over: pipeline)
/// try await socket.send(.text("subscribe"))
/// for try await message in socket.messages { show(message) }
/// ```
///
/// The handshake passes every interceptor of the pipeline: authorization, signing, cookies, retries and
/// logging see a GET with the scheme `https` or `http`. Caching, sharing, merging, redirects and compression
/// pass it on unchanged. The time limits of the request apply to the handshake only. The open connection ends
/// when the dispatcher shuts down.
///
/// While it is retained, the socket sends pings and answers those of the server. Releasing it closes the
/// connection without a close frame. ``WebSocketConfiguration/compression`` offers permessage-deflate.
public final class WebSocket: Sendable {
  /// The head of the response by which the server switched protocols.
  public let head: HTTPResponse
  /// How the handshake was made: its attempts and its connection.
  package let exchange: Exchange
  /// The subprotocol that the server selected; nil for none.
  package let subprotocol: String?
  /// Whether the server agreed to compress messages, in both directions.
  package let isCompressed: Bool
  let session: WebSocketSession

  init(_ response: Response, _ selection: OpeningHandshake.Selection, session: WebSocketSession) {
    head = response.head
    exchange = response.exchange
    subprotocol = selection.subprotocol
    isCompressed = selection.compression != nil
    self.session = session
  }

  deinit { session.abandon() }

  /// Opens a WebSocket.
  ///
  /// - Parameters:
  ///   - request: A GET with a URL that begins with `wss://` or `ws://`.
  ///   - dispatcher: A pipeline that ends in a `CurlDispatcher`, or that dispatcher itself.
  ///   - configuration: The limits, the subprotocols and the compression.
  ///   - time: The clock of its time limits.
  /// - Throws: ``WebSocketError/Kind/refused`` if the server responds with another status than 101.
  @concurrent public static func connect(
    _ request: Request, over dispatcher: some Dispatcher,
    configuration: WebSocketConfiguration = WebSocketConfiguration(), time: TimeSource = .system
  ) async throws(WebSocketError) -> WebSocket {
    let handshake = try OpeningHandshake(configuration)
    let request = try handshake.applied(to: request)
    guard dispatcher.capabilities.contains(.protocolUpgrade) else {
      throw WebSocketError(
        NetworkError(.unsupported, "The dispatcher can't switch protocols; use a CurlDispatcher."))
    }
    let response: Response
    do throws(NetworkError) {
      response = try await dispatcher.dispatch(request)
    } catch {
      throw WebSocketError(error)
    }
    guard response.status.code == 101 else { throw .refused(response) }
    guard let connection = response.connection else {
      throw WebSocketError(
        .handshakeFailed,
        "An interceptor replaced the response by one without a connection; return it unchanged.")
    }
    do throws(WebSocketError) {
      let selection = try handshake.checked(response.head)
      let session = WebSocketSession(
        connection, configuration, compression: selection.compression, time: time)
      return WebSocket(response, selection, session: session)
    } catch {
      connection.close()
      throw error
    }
  }

  /// Sends a message, and returns when it is queued behind at most 64 KiB.
  ///
  /// Messages of several tasks are sent whole, in the order of the calls. A message whose task is cancelled
  /// while it waits is not sent.
  ///
  /// - Throws: ``WebSocketError/Kind/closed(_:)`` once the connection is closed.
  @concurrent public func send(_ message: WebSocketMessage) async throws(WebSocketError) {
    try await session.send(message)
  }

  /// The messages that the server sends.
  ///
  /// While 256 KiB are unread, no more messages are received. The sequence ends after the code 1000, after a
  /// close frame without a code, and after ``close(_:reason:)``. After any other end it throws. If several
  /// tasks iterate, each message goes to one of them.
  public var messages: WebSocketMessages {
    WebSocketMessages { () async throws(WebSocketError) in try await self.session.next() }
  }

  /// Sends a ping and returns the time until its pong.
  ///
  /// - Throws: ``WebSocketError/Kind/pongTimeout`` after ``WebSocketConfiguration/pongTimeout``.
  @concurrent @discardableResult public func ping() async throws(WebSocketError) -> Duration {
    try await session.ping()
  }

  /// Closes the connection: sends a close frame behind the queued messages, and waits for the server's.
  ///
  /// It waits at most 10 s, and no longer if the task is cancelled. Messages that arrive meanwhile are
  /// dropped.
  ///
  /// - Parameters:
  ///   - code: The code. A code that no close frame may carry is omitted.
  ///   - reason: The reason, of which at most 123 bytes are sent.
  @concurrent public func close(_ code: WebSocketCloseCode = .normal, reason: String = "") async {
    await session.close(with: WebSocketClosure(code: code.isSendable ? code : nil, reason: reason))
  }

  /// Waits until the connection has ended.
  @concurrent package func waitUntilClosed() async { await session.waitForEnd() }

  /// The close frame of the server; nil while the connection is open, or if the server sent none.
  public var closure: WebSocketClosure? {
    if case .closed(let closure, _) = session.end { closure } else { nil }
  }

  /// Whether the connection has ended.
  public var isClosed: Bool { session.end != nil }
}
