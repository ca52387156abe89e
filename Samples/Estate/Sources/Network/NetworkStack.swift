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

/// The app's one way to the network: the pipeline with its interceptors, made once at startup.
public struct NetworkStack: Sendable {
  /// What managers need of the app.
  public let client: APIClient
  /// The chain before the dispatcher.
  public let pipeline: Pipeline

  /// Makes the chain.
  ///
  /// - Parameters:
  ///   - port: The port of the sample's server on this machine.
  ///   - authorities: A file with the certificate authority that vouches for the server.
  ///   - key: What requests are signed with.
  ///   - observers: Who is told of every step.
  /// - Throws: `PipelineIssue`, or what the list of addresses is not made of.
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
    client = APIClient(dispatcher: pipeline, account: { session.name ?? "" })
  }
}
