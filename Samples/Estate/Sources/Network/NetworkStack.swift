public import APIManagers
import BodyCompression
import CurlTransport
import DNSBypass
public import Interception
public import Logging
import RedirectFollowing
import RequestLogging
import RequestRetry
import RequestSharing
public import RequestSigning
import RequestValidation
import ResponseCaching

/// The app's network layer: the pipeline with its interceptors, created once at startup.
public struct NetworkStack: Sendable {
  /// The environment of the app's API managers.
  public let client: APIClient
  /// What the app can switch while it runs.
  public let switches: AppSwitches
  /// The interceptors and the dispatcher.
  public let pipeline: Pipeline

  /// Creates the pipeline.
  ///
  /// - Parameters:
  ///   - port: The port of the sample's server on this machine.
  ///   - authorities: A PEM file with the certificate authority of the server.
  ///   - key: The key that signs requests.
  ///   - environment: The environment in which the app starts.
  ///   - hooks: The hooks of every load.
  ///   - observers: The observers of every step.
  /// - Throws: `PipelineIssue`, or the error of an invalid address.
  public init(
    port: Int, authorities: String, key: SigningKey, environment: DeploymentEnvironment = .release,
    session: Session, logger: Logger, hooks: [any APIHooks] = [], observers: [any PipelineObserver] = []
  ) throws {
    let dispatcher = CurlDispatcher(
      configuration: CurlDispatcher.Configuration(tls: TLSPolicy(authorities: .file(authorities))))
    let server = "127.0.0.1:\(port)"
    let addresses = try AddressTable(
      [Service.estateHost: [server], Service.stagingHost: [server], Service.strangerHost: [server]],
      allowing: [.loopback])
    let switches = AppSwitches(environment)
    let cache = CachingInterceptor()
    pipeline = try Pipeline(over: dispatcher, observers: observers) {
      ValidationInterceptor()
      SharingInterceptor()
      RedirectInterceptor()
      RetryInterceptor()
      SessionInterceptor(session)
      SigningInterceptor(keys: EstateKeys(key: key, environments: switches.environments))
      cache
      DNSBypassInterceptor(addresses)
      CompressionInterceptor()
      LoggingInterceptor(logger: logger)
      TamperingInterceptor()
    }
    client = APIClient(
      dispatcher: pipeline, environments: switches.environments, reachability: switches.network,
      downgrades: switches.downgrades, storedState: cache.storedState(for:), hooks: hooks,
      account: { session.name ?? "" })
    self.switches = switches
  }
}
