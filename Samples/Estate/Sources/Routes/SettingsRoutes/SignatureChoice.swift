/// The schemes with which requests are signed.
public enum SignatureChoice: String, Codable, CaseIterable, Sendable {
  /// That of the package.
  case package
  /// HTTP Message Signatures, the standard of RFC 9421.
  case standard
}
