import HTTPTypes
import Hummingbird
public import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

/// Serves the app's screens as pages on a port of this machine, for the one user at its browser.
public struct WebServer: Sendable {
  private let session: WebSession
  private let port: Int
  private let logger: Logger

  /// A server on 127.0.0.1; port 0 takes any that is free.
  public init(_ session: WebSession, port: Int, logger: Logger) {
    self.session = session
    self.port = port
    self.logger = logger
  }

  /// Serves until SIGTERM or SIGINT, or until the task is cancelled.
  ///
  /// `onListening` gets the port as soon as connections are accepted. Throws `WebServerError.portTaken` or
  /// what the system says.
  public func run(onListening: @escaping @Sendable (Int) -> Void) async throws {
    let application = Application(
      responder: WebRoutes(session: session).router().buildResponder(),
      configuration: .init(address: .hostname("127.0.0.1", port: port), serverName: "estate"),
      onServerRunning: { channel in
        // From now on somebody can see what a link opens.
        await session.begin()
        if let port = channel.localAddress?.port { onListening(port) }
      },
      logger: logger)
    var configuration = ServiceGroupConfiguration(
      services: [application], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    configuration.maximumGracefulShutdownDuration = .seconds(5)
    defer { Task { await session.end() } }
    do {
      try await ServiceGroup(configuration: configuration).run()
    } catch let error as IOError where error.errnoCode == addressInUse {
      throw WebServerError.portTaken(port)
    }
  }
}
