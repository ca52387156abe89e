/// Why a signature was refused.
public struct SignatureRefusal: Error, Sendable, Equatable {
  /// The code in the answer, which programs may compare.
  public enum Code: String, Sendable, CaseIterable {
    /// The request carries no signature.
    case missingSignature = "missing_signature"
    /// The signature does not match the request, or is malformed.
    case badSignature = "bad_signature"
    /// The request was signed too long ago, or in the future.
    case staleTimestamp = "stale_timestamp"
    /// A request with the same nonce was accepted before.
    case replayedNonce = "replayed_nonce"
    /// The server does not know the key.
    case unknownKey = "unknown_key"
    /// The server has no verifier, so it refuses every request.
    case noVerifier = "no_verifier"
    /// The verifier can't check the request at the moment; answered with 503.
    case verifierBusy = "verifier_busy"
  }

  /// The code, which programs may compare.
  public let code: Code
  /// A sentence for people, without keys, digests or signed text.
  public let message: String

  /// Creates a refusal.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
