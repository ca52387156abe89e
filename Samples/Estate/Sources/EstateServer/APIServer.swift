import Hummingbird
import HummingbirdHTTP2
public import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

/// The API on a TLS port of this machine, in HTTP/2 or HTTP/1.1 as the client prefers.
public struct APIServer: Sendable {
  private let api: EstateAPI
  private let certificate: ServerCertificate
  private let port: Int
  private let logger: Logger

  /// A server on 127.0.0.1; port 0 takes any that is free.
  public init(api: EstateAPI, certificate: ServerCertificate, port: Int, logger: Logger) {
    self.api = api
    self.certificate = certificate
    self.port = port
    self.logger = logger
  }

  /// Serves until SIGTERM or SIGINT, or until the task is cancelled.
  ///
  /// `onListening` gets the port as soon as connections are accepted. Requests in flight have five seconds to
  /// end. Throws `APIServerError.portTaken` or what the system says.
  public func run(onListening: @escaping @Sendable (Int) -> Void) async throws {
    let application = try application(onListening: onListening)
    var configuration = ServiceGroupConfiguration(
      services: [application], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    configuration.maximumGracefulShutdownDuration = .seconds(5)
    do {
      try await ServiceGroup(configuration: configuration).run()
    } catch let error as IOError where error.errnoCode == addressInUse {
      throw APIServerError.portTaken(port)
    }
  }

  /// The server as a service of a group that decides when it stops.
  func application(onListening: @escaping @Sendable (Int) -> Void) throws -> some ApplicationProtocol {
    let http2 = HTTP2UpgradeChannel.Configuration(
      idleTimeout: .seconds(300), gracefulCloseTimeout: .seconds(2),
      streamConfiguration: .init(idleTimeout: .seconds(300)))
    return Application(
      responder: api.router().buildResponder(),
      server: try .http2Upgrade(tlsConfiguration: certificate.configuration, configuration: http2),
      configuration: .init(address: .hostname("127.0.0.1", port: port), serverName: "estate-server"),
      onServerRunning: { channel in
        if let port = channel.localAddress?.port { onListening(port) }
      },
      logger: logger)
  }
}
