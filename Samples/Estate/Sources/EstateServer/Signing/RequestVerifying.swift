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
