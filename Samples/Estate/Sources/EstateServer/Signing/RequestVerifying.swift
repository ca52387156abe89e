package import HTTPServing

/// Verifies the signatures of requests.
///
/// The server calls it before every API request and answers what it throws with 401. Conform another type for
/// another signature scheme, or for a test.
package protocol RequestVerifying: Sendable {
  /// Returns if the signature is valid, and throws the reason if it is not.
  ///
  /// The body is plain, without its content coding. It is called once for each request, so it may remember
  /// nonces.
  func verify(_ request: ReceivedRequest) async throws(SignatureRefusal)
}

/// Refuses every request; the verifier of a server that was given none.
package struct RefusingVerifier: RequestVerifying {
  package init() {}

  package func verify(_ request: ReceivedRequest) async throws(SignatureRefusal) {
    throw SignatureRefusal(.noVerifier, "The server has no signature verifier, so it refuses every request.")
  }
}

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
