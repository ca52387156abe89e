/// Checks who made a redirect table.
///
/// Choose it for tables that come over a network: whoever can put a file on that server could otherwise lead
/// every link of the app elsewhere. The app does the cryptography, with a public key that it carries.
public protocol RedirectVerifier: Sendable {
  /// Whether the signature is one of exactly these bytes by a key that the app trusts.
  func isValid(_ signature: [UInt8], of payload: [UInt8]) -> Bool
}
