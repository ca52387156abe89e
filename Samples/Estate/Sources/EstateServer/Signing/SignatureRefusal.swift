/// Why a signature was refused.
public struct SignatureRefusal: Error, Sendable, Equatable {
  /// The word in the answer that programs may compare.
  public enum Code: String, Sendable, CaseIterable {
    /// The request carries no signature.
    case missingSignature = "missing_signature"
    /// The signature does not belong to these bytes, or cannot be read.
    case badSignature = "bad_signature"
    /// The request was signed too long ago, or in the future.
    case staleTimestamp = "stale_timestamp"
    /// A request with this nonce was accepted before.
    case replayedNonce = "replayed_nonce"
    /// The server does not know the key.
    case unknownKey = "unknown_key"
    /// The server was started without a verifier, so it refuses everything.
    case noVerifier = "no_verifier"
    /// The verifier cannot check now, through no fault of the request; answered with 503.
    case verifierBusy = "verifier_busy"
  }

  /// The word that programs may compare.
  public let code: Code
  /// A sentence for people; it never holds a key, a digest or the text that was signed.
  public let message: String

  /// A refusal with its reason.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
