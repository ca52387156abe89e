#if LoopbackTesting
import NIOCore
import NIOPosix
import SwitchyardTesting

/// An HTTP server on 127.0.0.1 for tests, with HTTP/1.1, HTTP/2, TLS, and faults at chosen moments.
///
/// ```swift
/// let server = try await LoopbackServer.start { request in .text("hello, \(request.path)") }
/// server.enqueue(.text("half of it").failing(.responseBody, .reset))
/// let request = Request(scheme: server.scheme, authority: server.authority, path: "/homes")
/// await #expect(throws: NetworkError.self) { try await dispatcher.dispatch(request) }
/// #expect(try await dispatcher.dispatch(request).status == .ok)
/// #expect(server.requests.map(\.path) == ["/homes", "/homes"])
/// try await server.stop()
/// ```
///
/// Responses come from the script, see ``enqueue(_:)-([LoopbackResponse])``, and from the handler once the
/// script is empty. Use the server to test a transport, a timeout or a broken connection. Everything above
/// the transport can be tested with a `ScriptedDispatcher`, which is faster.
public final class LoopbackServer: Sendable {
  /// Returns the response to a request whose content has arrived completely.
  public typealias Handler = @Sendable (LoopbackRequest) async -> LoopbackResponse

  /// The configuration.
  let configuration: LoopbackConfiguration
  /// The port on 127.0.0.1.
  public let port: Int
  let engine: ServerEngine
  private let listener: any Channel
  private let group: MultiThreadedEventLoopGroup

  private init(
    _ configuration: LoopbackConfiguration, _ engine: ServerEngine, _ listener: any Channel, port: Int,
    _ group: MultiThreadedEventLoopGroup
  ) {
    self.configuration = configuration
    self.engine = engine
    self.listener = listener
    self.port = port
    self.group = group
  }

  deinit {
    guard engine.close() else { return }
    listener.close(promise: nil)
    group.shutdownGracefully { _ in }
  }

  /// Starts a server on a free port.
  ///
  /// - Parameter handler: Responds to requests once the script is empty; by default with 200 and no content.
  /// - Throws: ``LoopbackError`` if a certificate cannot be read, or the system's error if no port can be
  ///   bound.
  public static func start(
    _ configuration: LoopbackConfiguration = LoopbackConfiguration(),
    handler: @escaping Handler = { _ in LoopbackResponse() }
  ) async throws -> LoopbackServer {
    let engine = try ServerEngine(configuration, handler)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    do {
      let listener = try await ServerBootstrap(group: group)
        .serverChannelOption(.backlog, value: 256)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        .childChannelInitializer { channel in engine.accept(channel) }
        .bind(host: "127.0.0.1", port: 0).get()
      guard let port = listener.localAddress?.port else {
        throw LoopbackError(
          "The listening socket has no port, because the system closed it; start the server again.")
      }
      return LoopbackServer(configuration, engine, listener, port: port, group)
    } catch {
      try? await group.shutdownGracefully()
      throw error
    }
  }

  /// Starts a server, passes it to `body`, and stops it even if `body` throws.
  public static func serving<Result: Sendable>(
    _ configuration: LoopbackConfiguration = LoopbackConfiguration(),
    handler: @escaping Handler = { _ in LoopbackResponse() },
    _ body: (LoopbackServer) async throws -> Result
  ) async throws -> Result {
    let server = try await start(configuration, handler: handler)
    do {
      let result = try await body(server)
      try await server.stop()
      return result
    } catch {
      try? await server.stop()
      throw error
    }
  }

  /// The scheme of the server's URLs.
  public var scheme: String { configuration.security.isOn ? "https" : "http" }

  /// The host and port as the authority of a request: `localhost` with TLS, the IP address without.
  public var authority: String { configuration.security.isOn ? "localhost:\(port)" : "127.0.0.1:\(port)" }

  /// Appends a response to the script.
  public func enqueue(_ response: LoopbackResponse) { engine.state.update { $0.script.append(response) } }

  /// Appends responses to the script.
  public func enqueue(_ responses: [LoopbackResponse]) { engine.state.update { $0.script += responses } }

  /// The requests whose content has arrived completely, in order of completion.
  public var requests: [LoopbackRequest] { engine.state.value.requests }

  /// The current counts.
  public var counts: LoopbackCounts { engine.state.value.counts }

  /// Returns the next request that was not taken yet, as soon as it has arrived.
  ///
  /// - Throws: `CancellationError`, or ``LoopbackError`` when the server is stopped.
  public func takeRequest() async throws -> LoopbackRequest {
    while true {
      if let request = engine.state.update({ $0.takeRequest() }) { return request }
      let state = try await engine.state.wait { $0.taken < $0.requests.count || $0.isStopped }
      if state.isStopped, state.taken >= state.requests.count {
        throw LoopbackError("The server was stopped and has no more requests; take requests before stop().")
      }
    }
  }

  /// Returns the counts as soon as they satisfy a condition; only the test's time limit bounds the wait.
  ///
  /// - Throws: `CancellationError`.
  @discardableResult
  public func wait(until condition: @escaping @Sendable (LoopbackCounts) -> Bool) async throws
    -> LoopbackCounts
  {
    try await engine.state.wait { condition($0.counts) }.counts
  }

  /// Resets all open connections; the server continues to listen.
  func dropConnections() async { await engine.dropConnections() }

  /// Stops listening, resets open connections, and returns once all resources are released.
  public func stop() async throws {
    guard engine.close() else { return }
    try? await listener.close()
    await engine.dropConnections()
    try await engine.state.wait { $0.counts.openConnections == 0 && $0.counts.openExchanges == 0 }
    try await group.shutdownGracefully()
  }
}

/// The shared state of all connections of a server: its counts, received requests and remaining script.
struct ServerState: Sendable {
  var counts = LoopbackCounts()
  var requests: [LoopbackRequest] = []
  var taken = 0
  var script: [LoopbackResponse] = []
  var isStopped = false

  /// Returns the next request that was not taken yet.
  mutating func takeRequest() -> LoopbackRequest? {
    guard taken < requests.count else { return nil }
    defer { taken += 1 }
    return requests[taken]
  }

  mutating func takeResponse() -> LoopbackResponse? { script.isEmpty ? nil : script.removeFirst() }
}

#else
// What the compiler says without the trait, instead of "cannot find in scope".

/// Needs the trait LoopbackTesting.
@available(
  *, unavailable,
  message: "add traits: [\"LoopbackTesting\"] to the dependency on Switchyard in Package.swift"
)
public struct LoopbackServer: Sendable {
  /// Needs the trait LoopbackTesting.
  public static func start() async throws -> LoopbackServer { LoopbackServer() }
}
#endif
