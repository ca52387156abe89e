/// The address of a service in one environment: the parts of its base URL, the version of its APIs, and the
/// ID of the key that signs its requests.
public struct ServiceAddress: Sendable, Hashable {
  /// `https`, or `http` for a server on the same machine.
  package var scheme: String
  /// The host, and the port unless it is the scheme's default, such as `api.example.com` or `127.0.0.1:8080`.
  public var authority: String
  /// The path prefix shared by all APIs, such as `/mobile`; empty by default.
  public var basePath: String
  /// The version between base path and API path, such as `v2`; nil if the service has none.
  public var version: String?
  /// The ID of the key with which requests are signed in this environment, or nil.
  ///
  /// The key itself is a secret, which the app's source of signing keys finds by `Request.serviceKeyID`.
  package var keyID: String?

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
