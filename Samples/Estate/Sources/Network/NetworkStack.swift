public import APIManagers
import BodyCompression
import CurlTransport
import DNSBypass
public import Interception
public import Logging
import RequestLogging
public import RequestSigning
import RequestValidation
import ResponseCaching

/// The app's network layer: the pipeline with its interceptors, created once at startup.
public struct NetworkStack: Sendable {
  /// The environment of the app's API managers.
  public let host: HostApp
  /// The interceptors and the dispatcher.
  public let pipeline: Pipeline

  /// Creates the pipeline.
  ///
  /// - Parameters:
  ///   - port: The port of the sample's server on this machine.
  ///   - authorities: A PEM file with the certificate authority of the server.
  ///   - key: The key that signs requests.
  ///   - observers: The observers of every step.
  /// - Throws: `PipelineIssue`, or the error of an invalid address.
  public init(
    port: Int, authorities: String, key: SigningKey, session: Session, logger: Logger,
    observers: [any PipelineObserver] = []
  ) throws {
    let dispatcher = CurlDispatcher(
      configuration: CurlDispatcher.Configuration(tls: TLSPolicy(authorities: .file(authorities))))
    let server = "127.0.0.1:\(port)"
    let addresses = try AddressTable(
      [Service.estateHost: [server], Service.strangerHost: [server]], allowing: [.loopback])
    pipeline = try Pipeline(over: dispatcher, observers: observers) {
      ValidationInterceptor()
      SessionInterceptor(session)
      SigningInterceptor(keys: EstateKeys(key: key))
      CachingInterceptor()
      DNSBypassInterceptor(addresses)
      CompressionInterceptor()
      LoggingInterceptor(logger: logger)
      TamperingInterceptor()
    }
    host = HostApp(dispatcher: pipeline, account: { session.name ?? "" })
  }
}
