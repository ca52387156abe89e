import Mediation

/// Verifies the signature of a redirect table.
///
/// It is required for tables from a network: anyone who can write to that server could otherwise redirect
/// every link of the app. The app implements the cryptography, with a public key that it contains.
public protocol RedirectVerifier: Sendable {
  /// Returns whether the signature is valid for exactly these bytes and a key that the app trusts.
  func isValid(_ signature: [UInt8], of payload: [UInt8]) -> Bool
}
