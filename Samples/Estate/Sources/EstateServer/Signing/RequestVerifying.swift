/// Says whether a request was signed by somebody the server knows.
///
/// The server asks it before every API call; whatever it throws is answered with 401. Write another
/// conformance for another signature scheme, or for a test.
public protocol RequestVerifying: Sendable {
  /// Returns when the signature holds, and throws the reason when it does not.
  ///
  /// It is asked once for each request, so it may remember nonces.
  func verify(_ request: ReceivedRequest) async throws(SignatureRefusal)
}
