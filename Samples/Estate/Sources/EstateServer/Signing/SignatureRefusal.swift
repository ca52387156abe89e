/// Why a signature was refused.
package struct SignatureRefusal: Error, Sendable, Equatable {
  /// The code in the answer, which programs may compare.
  package enum Code: String, Sendable, CaseIterable {
    case missingSignature = "missing_signature"
    /// The signature does not match the request, or is malformed.
    case badSignature = "bad_signature"
    /// The request was signed too long ago, or in the future.
    case staleTimestamp = "stale_timestamp"
    case replayedNonce = "replayed_nonce"
    case unknownKey = "unknown_key"
    case noVerifier = "no_verifier"
    /// The verifier can't check the request at the moment; answered with 503.
    case verifierBusy = "verifier_busy"
  }

  package let code: Code
  /// A sentence for people, without keys, digests or signed text.
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
