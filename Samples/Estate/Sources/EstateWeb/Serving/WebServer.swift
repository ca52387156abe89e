import HTTPServing
package import Switchyard

/// Serves the app's screens as pages on a port of this machine, for the one user at its browser.
package struct WebServer: Sendable {
  private let session: WebSession
  private let port: UInt16
  private let logger: Logger

  package init(_ session: WebSession, port: UInt16, logger: Logger) {
    self.session = session
    self.port = port
    self.logger = logger
  }

  /// Serves until `stop` returns or the task is cancelled.
  ///
  /// - Parameters:
  ///   - stop: Returns when the server should stop, as ``HTTPServing/TerminationSignals/received()`` does.
  ///   - onListening: Receives the port once connections are accepted.
  /// - Throws: `ServingError`.
  package func run(
    until stop: @escaping @Sendable () async -> Void, onListening: @escaping @Sendable (UInt16) -> Void
  ) async throws {
    let (session, logger) = (session, logger)
    let routes = WebRoutes(session: session)
    let router = routes.router()
    let server = LoopbackServer(port: port, scheme: "http", bodyLimit: WebRoutes.formLimit) { request in
      await PageHeaders.adding(to: request) { request in
        do {
          if let response = try await router.output(for: request) { return response }
          return await routes.screen(for: request)
        } catch {
          logger.error("request failed", metadata: ["error": "\(error)"])
          return ServerResponse(.internalServerError)
        }
      }
    }
    try await GuideServer.serving(session) {
      try await server.serve { port in
        // Now a browser can show what a link opens.
        await session.begin()
        onListening(port)
        await stop()
        // A page that waits for the user would hold up the stop.
        await session.end()
      }
    }
  }
}
