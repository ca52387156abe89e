/// The trusted servers and the versions of TLS; certificates and names are always verified.
public struct TLSPolicy: Sendable {
  /// The certificate authorities that are trusted.
  public enum Authorities: Sendable, Hashable {
    /// The system's authorities.
    case system
    /// The authorities of a PEM file, and no others.
    case file(String)
  }

  /// A version of TLS.
  public enum Version: Sendable, Hashable {
    /// RFC 5246.
    case tls12
    /// RFC 8446.
    case tls13
  }

  /// Whether a server must prove in the handshake that its certificate is not revoked.
  public enum Stapling: Sendable, Hashable {
    /// Stapled responses are ignored.
    case off
    /// The server must staple a valid OCSP response (RFC 6066, section 8), and send its issuer's certificate.
    ///
    /// Connections to servers that staple none are refused. Many servers staple none, and libcurl cannot
    /// verify responses only where there are some, so choose this for known servers.
    case required
  }

  /// The trusted certificate authorities.
  package var authorities: Authorities
  /// The minimum version.
  package var minimumVersion: Version
  /// The keys that hosts are pinned to; none by default.
  package var pins: PublicKeyPins
  /// Called on Swift's pool for each connection whose key does not match a pin.
  package var onPinMismatch: (@Sendable (PinMismatch) -> Void)?
  /// The certificate for servers that request one; nil presents none.
  package var clientCertificate: ClientCertificate?
  /// Whether servers must staple an OCSP response; off.
  package var stapling: Stapling

  /// Creates a policy with the system's authorities and TLS 1.2 or newer by default.
  ///
  /// - Parameters:
  ///   - authorities: The trusted certificate authorities.
  ///   - minimumVersion: The minimum version.
  ///   - pins: The keys that hosts are pinned to; none by default.
  ///   - onPinMismatch: Called on Swift's pool for each connection whose key does not match a pin.
  ///
  ///     The request does not wait for it. Do not send the report to the host that it is about.
  ///   - clientCertificate: The certificate for servers that request one; nil presents none.
  ///   - stapling: Whether servers must staple an OCSP response; off.
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
