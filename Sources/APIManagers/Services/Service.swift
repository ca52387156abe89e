public import HTTPTypes
public import Interception

/// A provider of APIs: where it runs, and what all its APIs send.
///
/// One service stands for one team's, or one third party's, set of APIs. It is a constant of the code: which
/// of its environments is used, and an address known only at run time, is the app's matter, see
/// ``EnvironmentSwitch``.
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
  /// The name, such as `estate`; signing keys and logs go by it.
  public let name: String
  /// The address while it is developed.
  public var develop: ServiceAddress
  /// The address while a release is tested.
  public var releaseCandidate: ServiceAddress
  /// The address in use.
  public var release: ServiceAddress
  /// How addresses and paths make URLs.
  public var urlRule: URLRule
  /// Params that go into the query of every request, asked anew for each one.
  ///
  /// An API's own param of the same name wins. The closure gets the API, so that some APIs can get other
  /// params.
  public var commonParams: @Sendable (APIIdentity) -> [QueryField]
  /// Header fields of every request, asked anew for each one; an endpoint's own field of the same name wins.
  public var commonHeaderFields: @Sendable (APIIdentity) -> HTTPFields

  /// Makes a service of its three addresses.
  public init(
    _ name: String, develop: ServiceAddress, releaseCandidate: ServiceAddress, release: ServiceAddress,
    urlRule: URLRule = .standard,
    commonParams: @escaping @Sendable (APIIdentity) -> [QueryField] = { _ in [] },
    commonHeaderFields: @escaping @Sendable (APIIdentity) -> HTTPFields = { _ in [:] }
  ) {
    self.name = name
    self.develop = develop
    self.releaseCandidate = releaseCandidate
    self.release = release
    self.urlRule = urlRule
    self.commonParams = commonParams
    self.commonHeaderFields = commonHeaderFields
  }

  /// Makes a service that runs at one address, whatever the environment.
  public init(
    _ name: String, at address: ServiceAddress, urlRule: URLRule = .standard,
    commonParams: @escaping @Sendable (APIIdentity) -> [QueryField] = { _ in [] },
    commonHeaderFields: @escaping @Sendable (APIIdentity) -> HTTPFields = { _ in [:] }
  ) {
    self.init(
      name, develop: address, releaseCandidate: address, release: address, urlRule: urlRule,
      commonParams: commonParams, commonHeaderFields: commonHeaderFields)
  }

  /// The address in an environment.
  public func address(in environment: DeploymentEnvironment) -> ServiceAddress {
    switch environment {
    case .develop: develop
    case .releaseCandidate: releaseCandidate
    case .release: release
    }
  }
}
