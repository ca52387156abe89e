/// Where a service is reached in one environment: the parts of its base URL, and the version of its APIs.
public struct ServiceAddress: Sendable, Hashable {
  /// `https`, or `http` for a server on the same machine.
  public var scheme: String
  /// Host, and port where it isn't the scheme's own, such as `api.example.com` or `127.0.0.1:8080`.
  public var authority: String
  /// The part of the path that all APIs share, such as `/mobile`; empty by default.
  public var basePath: String
  /// The version that stands between base and path, such as `v2`; nil where the service has none.
  public var version: String?

  /// Makes an address of its parts.
  public init(scheme: String = "https", authority: String, basePath: String = "", version: String? = nil) {
    self.scheme = scheme
    self.authority = authority
    self.basePath = basePath
    self.version = version
  }
}
