import CurlTransport
import Interception
import WebSockets

/// What the loads of WebSockets have in common: their pipeline, and how they connect.
enum WebSocketLoad {
  /// Returns a pipeline whose dispatcher may keep a number of WebSockets open.
  static func pipeline(connections: Int) throws -> Pipeline {
    let limits = CurlDispatcher.Limits(
      total: 64, perOrigin: 64, queue: connections, upgrades: connections)
    return try Pipeline(
      over: CurlDispatcher(configuration: CurlDispatcher.Configuration(limits: limits))
    ) {}
  }

  /// Opens a WebSocket.
  ///
  /// - Parameter pingInterval: The time without a received byte after which it sends a ping; nil for none.
  static func connect(
    to url: String, over pipeline: Pipeline, pingInterval: Duration? = nil
  ) async throws -> WebSocket {
    var configuration = WebSocketConfiguration()
    configuration.pingInterval = pingInterval
    return try await WebSocket.connect(Request(url), over: pipeline, configuration: configuration)
  }
}
