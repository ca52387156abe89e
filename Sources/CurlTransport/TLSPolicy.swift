/// Which servers are trusted, and which versions of TLS are spoken; certificate and name are always checked.
public struct TLSPolicy: Sendable {
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

  /// Whether a server must prove in the handshake that its certificate was not withdrawn.
  public enum Stapling: Sendable, Hashable {
    /// It need not; what it staples is not looked at.
    case off
    /// It must staple a valid OCSP answer (RFC 6066, section 8); one that staples none is refused.
    ///
    /// libcurl knows no middle way that looks at an answer only where there is one. Many servers staple none:
    /// choose this for servers that are known to. The server must send its issuer's certificate, too.
    case required
  }

  /// Whose certificates vouch for a server.
  public var authorities: Authorities
  /// The oldest version that is spoken.
  public var minimumVersion: Version
  /// The keys that hosts are pinned to; none by default.
  public var pins: PublicKeyPins
  /// Called for each connection whose key is not pinned, on a thread of Swift's pool.
  ///
  /// It runs besides the request, which doesn't wait for it. A report that is sent on must not go to the host
  /// that it is about.
  public var onPinMismatch: (@Sendable (PinMismatch) -> Void)?
  /// What is shown to servers that ask who this program is; nil shows nothing.
  public var clientCertificate: ClientCertificate?
  /// Whether servers must staple a proof that their certificate was not withdrawn; off.
  public var stapling: Stapling

  /// Makes a policy: the system's authorities and TLS 1.2 or later by default.
  public init(
    authorities: Authorities = .system, minimumVersion: Version = .tls12,
    pins: PublicKeyPins = PublicKeyPins(),
    onPinMismatch: (@Sendable (PinMismatch) -> Void)? = nil, clientCertificate: ClientCertificate? = nil,
    stapling: Stapling = .off
  ) {
    self.authorities = authorities
    self.minimumVersion = minimumVersion
    self.pins = pins
    self.onPinMismatch = onPinMismatch
    self.clientCertificate = clientCertificate
    self.stapling = stapling
  }
}
