public import BodyFormats
import HTTPTypes
public import Interception

/// A provider of APIs: its addresses, and the params, header fields, response rule and JSON format that its
/// APIs share.
///
/// A service is a constant. An ``EnvironmentSwitch`` chooses its environment, or an address that is known
/// only at run time.
///
/// ```swift
/// extension Service {
///   static let mortgage = Service(
///     "mortgage", at: ServiceAddress(authority: "api.example.com", version: "v1"),
///     releaseCandidate: ServiceAddress(authority: "rc.example.com", version: "v1"),
///     develop: ServiceAddress(scheme: "http", authority: "127.0.0.1:8080", version: "v1"))
/// }
/// ```
public struct Service: Sendable {
  /// The name, such as `estate`, used for signing keys and in logs.
  public let name: String
  /// The address for development.
  package var develop: ServiceAddress
  /// The address for testing a release.
  package var releaseCandidate: ServiceAddress
  /// The address for production.
  package var release: ServiceAddress
  /// The rule that forms URL paths from an address and an API's path.
  package var urlRule: URLRule
  /// The rule for all responses; ``ServiceRule/none`` by default.
  package var responseRule: ServiceRule
  /// The format of the JSON of params and responses, unless an endpoint has its own.
  package var jsonFormat: JSONCoding
  /// Params and header fields of every request; none by default.
  package var common: CommonFields

  /// Creates a service.
  ///
  /// - Parameter release: The address for production, and for each environment without one of its own.
  public init(
    _ name: String, at release: ServiceAddress, releaseCandidate: ServiceAddress? = nil,
    develop: ServiceAddress? = nil, urlRule: URLRule = .standard, responseRule: ServiceRule = .none,
    jsonFormat: JSONCoding = JSONCoding(), common: CommonFields = CommonFields()
  ) {
    self.name = name
    self.develop = develop ?? release
    self.releaseCandidate = releaseCandidate ?? release
    self.release = release
    self.urlRule = urlRule
    self.responseRule = responseRule
    self.jsonFormat = jsonFormat
    self.common = common
  }

  /// Returns the address in an environment.
  func address(in environment: DeploymentEnvironment) -> ServiceAddress {
    switch environment {
    case .develop: develop
    case .releaseCandidate: releaseCandidate
    case .release: release
    }
  }
}

/// The signing key of a service in the environment for which a request was formed.
struct ServiceKey: Sendable, Hashable, ContextKey {
  static let defaultValue: ServiceKey? = nil

  let id: String
  let authority: String
}

extension Request {
  /// The ID of the key with which the request's service expects it to be signed, from
  /// the `keyID` of its ``ServiceAddress``; nil if the service names none.
  ///
  /// The source of an app's signing keys returns the key with this ID:
  ///
  /// ```swift
  /// struct AppKeys: SigningKeySource {
  ///   let keys: [String: SigningKey]
  ///
  ///   func signingKey(for request: Request) -> SigningKey? { request.serviceKeyID.flatMap { keys[$0] } }
  /// }
  /// ```
  ///
  /// It is also nil after a redirect to another authority, which must not receive a signature.
  public var serviceKeyID: String? {
    guard let key = context[ServiceKey.self], key.authority == head.authority else { return nil }
    return key.id
  }
}
