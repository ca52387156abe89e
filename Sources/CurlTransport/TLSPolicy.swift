/// Which servers are trusted, and which versions of TLS are spoken; certificate and name are always checked.
public struct TLSPolicy: Sendable, Hashable {
  /// Whose certificates vouch for a server.
  public enum Authorities: Sendable, Hashable {
    /// Those that the system trusts.
    case system
    /// Those of a PEM file, and no others.
    case file(String)
  }

  /// A version of TLS.
  public enum Version: Sendable, Hashable {
    /// RFC 5246.
    case tls12
    /// RFC 8446.
    case tls13
  }

  /// Whose certificates vouch for a server.
  public var authorities: Authorities
  /// The oldest version that is spoken.
  public var minimumVersion: Version

  /// Makes a policy: the system's authorities and TLS 1.2 or later by default.
  public init(authorities: Authorities = .system, minimumVersion: Version = .tls12) {
    self.authorities = authorities
    self.minimumVersion = minimumVersion
  }
}
