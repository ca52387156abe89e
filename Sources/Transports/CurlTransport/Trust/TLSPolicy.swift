/// The trusted servers and the versions of TLS; certificates and names are always verified.
public struct TLSPolicy: Sendable {
  /// A PEM file of the trusted certificate authorities; nil for the system's.
  package var authorityFile: String?
  /// Whether the minimum version is 1.3 (RFC 8446), and not 1.2 (RFC 5246).
  package var requiresVersion13: Bool
  /// The keys that hosts are pinned to; none by default.
  package var pins: PublicKeyPins
  /// Called on Swift's pool for each connection whose key does not match a pin.
  package var onPinMismatch: (@Sendable (PinMismatch) -> Void)?
  /// The certificate for servers that request one; nil presents none.
  package var clientCertificate: ClientCertificate?
  /// Whether servers must staple an OCSP response.
  package var requiresStapling: Bool

  /// Creates a policy with the system's authorities and TLS 1.2 or newer by default.
  ///
  /// - Parameters:
  ///   - authorityFile: A PEM file of the certificate authorities that are trusted, and no others; by default
  ///     the system's authorities.
  ///   - requiresVersion13: Whether the minimum version is 1.3 (RFC 8446), and not 1.2 (RFC 5246).
  ///   - pins: The keys that hosts are pinned to; none by default.
  ///   - onPinMismatch: Called on Swift's pool for each connection whose key does not match a pin.
  ///
  ///     The request does not wait for it. Do not send the report to the host that it is about.
  ///   - clientCertificate: The certificate for servers that request one; nil presents none.
  ///   - requiresStapling: Whether servers must prove in the handshake that their certificate is not revoked,
  ///     by a valid stapled OCSP response (RFC 6066, section 8), and send its issuer's certificate.
  ///
  ///     Connections to servers that staple none are refused. Many servers staple none, and libcurl cannot
  ///     verify responses only where there are some, so require it of known servers. Otherwise stapled
  ///     responses are ignored.
  public init(
    authorityFile: String? = nil, requiresVersion13: Bool = false,
    pins: PublicKeyPins = PublicKeyPins(),
    onPinMismatch: (@Sendable (PinMismatch) -> Void)? = nil, clientCertificate: ClientCertificate? = nil,
    requiresStapling: Bool = false
  ) {
    self.authorityFile = authorityFile
    self.requiresVersion13 = requiresVersion13
    self.pins = pins
    self.onPinMismatch = onPinMismatch
    self.clientCertificate = clientCertificate
    self.requiresStapling = requiresStapling
  }
}
