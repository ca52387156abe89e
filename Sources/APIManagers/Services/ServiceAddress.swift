/// The address of a service in one environment: the parts of its base URL, and the version of its APIs.
public struct ServiceAddress: Sendable, Hashable {
  /// `https`, or `http` for a server on the same machine.
  public var scheme: String
  /// The host, and the port unless it is the scheme's default, such as `api.example.com` or `127.0.0.1:8080`.
  public var authority: String
  /// The path prefix shared by all APIs, such as `/mobile`; empty by default.
  public var basePath: String
  /// The version between base path and API path, such as `v2`; nil if the service has none.
  public var version: String?

  /// Creates an address from its parts.
  public init(scheme: String = "https", authority: String, basePath: String = "", version: String? = nil) {
    self.scheme = scheme
    self.authority = authority
    self.basePath = basePath
    self.version = version
  }
}
