public import BodyFormats
public import HTTPTypes
public import Interception

/// A provider of APIs: its addresses, and what is common to its APIs: params, header fields, the rule for
/// responses, the format of JSON.
///
/// A service represents the APIs of one team or third party. It is a constant: the app chooses its
/// environment, or an address known only at run time, with an ``EnvironmentSwitch``.
///
/// ```swift
/// extension Service {
///   static let estate = Service(
///     "estate", develop: ServiceAddress(scheme: "http", authority: "127.0.0.1:8080", version: "v1"),
///     releaseCandidate: ServiceAddress(authority: "rc.example.com", version: "v1"),
///     release: ServiceAddress(authority: "api.example.com", version: "v1"))
/// }
/// ```
public struct Service: Sendable {
  /// The name, such as `estate`, used for signing keys and in logs.
  public let name: String
  /// The address for development.
  public var develop: ServiceAddress
  /// The address for testing a release.
  public var releaseCandidate: ServiceAddress
  /// The address for production.
  public var release: ServiceAddress
  /// The rule that forms URL paths from an address and an API's path.
  public var urlRule: URLRule
  /// The rule for all responses; ``ServiceRule/none`` by default.
  public var responseRule: ServiceRule
  /// The format of the JSON of params and responses, unless an endpoint has its own.
  public var jsonFormat: JSONCoding
  /// Params added to the query of every request, computed anew for each request.
  ///
  /// An API's own param with the same name takes precedence. The closure receives the API, so that params can
  /// vary by API.
  public var commonParams: @Sendable (APIIdentity) -> [QueryField]
  /// Header fields of every request, computed anew for each request; an endpoint's field with the same name
  /// takes precedence.
  public var commonHeaderFields: @Sendable (APIIdentity) -> HTTPFields

  /// Creates a service from its three addresses.
  public init(
    _ name: String, develop: ServiceAddress, releaseCandidate: ServiceAddress, release: ServiceAddress,
    urlRule: URLRule = .standard, responseRule: ServiceRule = .none, jsonFormat: JSONCoding = JSONCoding(),
    commonParams: @escaping @Sendable (APIIdentity) -> [QueryField] = { _ in [] },
    commonHeaderFields: @escaping @Sendable (APIIdentity) -> HTTPFields = { _ in [:] }
  ) {
    self.name = name
    self.develop = develop
    self.releaseCandidate = releaseCandidate
    self.release = release
    self.urlRule = urlRule
    self.responseRule = responseRule
    self.jsonFormat = jsonFormat
    self.commonParams = commonParams
    self.commonHeaderFields = commonHeaderFields
  }

  /// Creates a service with the same address in every environment.
  public init(
    _ name: String, at address: ServiceAddress, urlRule: URLRule = .standard,
    responseRule: ServiceRule = .none,
    jsonFormat: JSONCoding = JSONCoding(),
    commonParams: @escaping @Sendable (APIIdentity) -> [QueryField] = { _ in [] },
    commonHeaderFields: @escaping @Sendable (APIIdentity) -> HTTPFields = { _ in [:] }
  ) {
    self.init(
      name, develop: address, releaseCandidate: address, release: address, urlRule: urlRule,
      responseRule: responseRule, jsonFormat: jsonFormat, commonParams: commonParams,
      commonHeaderFields: commonHeaderFields)
  }

  /// Returns the address in an environment.
  public func address(in environment: DeploymentEnvironment) -> ServiceAddress {
    switch environment {
    case .develop: develop
    case .releaseCandidate: releaseCandidate
    case .release: release
    }
  }
}
