import NIOCore
import NIOPosix
import SwitchyardTesting

/// An HTTP server on 127.0.0.1 for tests: HTTP/1.1 and HTTP/2, TLS, and faults placed on moments.
///
/// ```swift
/// let server = try await LoopbackServer.start { request in .text("hello, \(request.path)") }
/// server.enqueue(.text("half of it").failing(.responseBody, .reset))
/// …
/// let request = try await server.takeRequest()
/// try await server.stop()
/// ```
///
/// Answers come from the script, see ``enqueue(_:)``, and from the handler once the script is used up. Choose
/// it when the wire is what you test: a transport, a timeout, a broken connection. For what stands above the
/// transport a ``/SwitchyardTesting/ScriptedDispatcher`` is enough, and faster.
public final class LoopbackServer: Sendable {
  /// Makes the answer to a request whose whole content has arrived.
  public typealias Handler = @Sendable (LoopbackRequest) async -> LoopbackAnswer

  /// How it was started.
  public let configuration: LoopbackConfiguration
  /// The port of 127.0.0.1.
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
  /// - Parameter handler: Answers what the script doesn't; a 200 without content by default.
  /// - Throws: ``LoopbackError`` where a certificate cannot be read, and what the system says of the port.
  public static func start(
    _ configuration: LoopbackConfiguration = LoopbackConfiguration(),
    handler: @escaping Handler = { _ in LoopbackAnswer() }
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
        throw LoopbackError("The listening socket has no port; the system closed it.")
      }
      return LoopbackServer(configuration, engine, listener, port: port, group)
    } catch {
      try? await group.shutdownGracefully()
      throw error
    }
  }

  /// Starts a server, hands it to `body`, and stops it whatever happens there.
  public static func serving<Result: Sendable>(
    _ configuration: LoopbackConfiguration = LoopbackConfiguration(),
    handler: @escaping Handler = { _ in LoopbackAnswer() },
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

  /// The scheme of its URLs.
  public var scheme: String { configuration.security.isOn ? "https" : "http" }

  /// Host and port, as a request's authority: `localhost` with TLS, the address without.
  public var authority: String { configuration.security.isOn ? "localhost:\(port)" : "127.0.0.1:\(port)" }

  /// Puts an answer at the end of the script.
  public func enqueue(_ answer: LoopbackAnswer) { engine.ledger.update { $0.script.append(answer) } }

  /// Puts answers at the end of the script.
  public func enqueue(_ answers: [LoopbackAnswer]) { engine.ledger.update { $0.script += answers } }

  /// The requests whose whole content has arrived, in that order.
  public var requests: [LoopbackRequest] { engine.ledger.value.requests }

  /// The counts at this moment.
  public var census: LoopbackCensus { engine.ledger.value.census }

  /// Returns the next request that nobody has taken, as soon as it has arrived.
  ///
  /// - Throws: `CancellationError`, and ``LoopbackError`` when the server is stopped.
  public func takeRequest() async throws -> LoopbackRequest {
    while true {
      if let request = engine.ledger.update({ $0.takeRequest() }) { return request }
      let ledger = try await engine.ledger.wait { $0.taken < $0.requests.count || $0.isStopped }
      if ledger.isStopped, ledger.taken >= ledger.requests.count {
        throw LoopbackError("The server was stopped, and no request is left; take requests before stop().")
      }
    }
  }

  /// Returns the counts once they satisfy a condition; a test's own time limit bounds the wait.
  ///
  /// - Throws: `CancellationError`.
  @discardableResult
  public func wait(until condition: @escaping @Sendable (LoopbackCensus) -> Bool) async throws
    -> LoopbackCensus
  {
    try await engine.ledger.wait { condition($0.census) }.census
  }

  /// Breaks all connections that are open, and goes on listening.
  public func dropConnections() async { await engine.dropConnections() }

  /// Stops listening, breaks what is open, and returns once nothing of the server is left.
  public func stop() async throws {
    guard engine.close() else { return }
    try? await listener.close()
    await engine.dropConnections()
    try await engine.ledger.wait { $0.census.openConnections == 0 && $0.census.openExchanges == 0 }
    try await group.shutdownGracefully()
  }
}
