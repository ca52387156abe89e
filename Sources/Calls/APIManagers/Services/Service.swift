public import BodyFormats
import HTTPTypes
public import Interception

/// A provider of APIs: its addresses, and what is common to its APIs: params, header fields, the rule for
/// responses, the format of JSON.
///
/// It is a constant: the app chooses its environment, or an address known only at run time, with an
/// ``EnvironmentSwitch``.
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
  /// Params and header fields of every request; none by default.
  public var common: CommonFields

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

/// The address of a service in one environment: the parts of its base URL, the version of its APIs, and the
/// ID of the key that signs its requests.
public struct ServiceAddress: Sendable, Hashable {
  /// `https`, or `http` for a server on the same machine.
  public var scheme: String
  /// The host, and the port unless it is the scheme's default, such as `api.example.com` or `127.0.0.1:8080`.
  public var authority: String
  /// The path prefix shared by all APIs, such as `/mobile`; empty by default.
  public var basePath: String
  /// The version between base path and API path, such as `v2`; nil if the service has none.
  public var version: String?
  /// The ID of the key with which requests are signed in this environment, or nil.
  ///
  /// The key itself is a secret, which the app's source of signing keys finds by `Request.serviceKeyID`.
  public var keyID: String?

  /// Creates an address from its parts.
  public init(
    scheme: String = "https", authority: String, basePath: String = "", version: String? = nil,
    keyID: String? = nil
  ) {
    self.scheme = scheme
    self.authority = authority
    self.basePath = basePath
    self.version = version
    self.keyID = keyID
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
  /// ``ServiceAddress/keyID``; nil if the service names none.
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
  /// It is nil too once a redirect has led the request to another authority, which must not receive a
  /// signature.
  public var serviceKeyID: String? {
    guard let key = context[ServiceKey.self], key.authority == head.authority else { return nil }
    return key.id
  }
}

/// A rule that forms a URL's path from a service's address and an API's path.
///
/// Use ``standard`` unless the server differs, for example with the version first.
public struct URLRule: Sendable {
  private let join: @Sendable (_ address: ServiceAddress, _ path: String) -> String

  /// Creates a rule from a closure that receives the address and the API's percent-encoded path, and returns
  /// a path.
  public init(_ join: @escaping @Sendable (_ address: ServiceAddress, _ path: String) -> String) {
    self.join = join
  }

  /// Base path, version and API path, joined by single slashes; the version is omitted if it is nil.
  public static let standard = URLRule { address, path in
    // The usual address, whose parts need not be taken apart.
    if address.basePath.isEmpty, path.utf8.first == UInt8(ascii: "/"), path.utf8.count > 1 {
      guard let version = address.version else { return path }
      if !version.isEmpty, !version.utf8.contains(UInt8(ascii: "/")) { return "/" + version + path }
    }
    let front = [address.basePath, address.version ?? ""].flatMap { $0.split(separator: "/") }
    let prefix = front.map { "/\($0)" }.joined()
    guard !path.isEmpty, path != "/" else { return prefix.isEmpty ? "/" : prefix + path }
    return prefix + (path.hasPrefix("/") ? path : "/" + path)
  }

  func path(at address: ServiceAddress, of path: String) -> String { join(address, path) }
}
