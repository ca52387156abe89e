package import HTTPServing
package import Interception
package import RequestSigning

/// Accepts requests signed with the demo key, each once by all servers that share a store of nonces.
///
/// If the store can't tell whether a request was received before, the request is refused with 503. A new
/// store can't tell for the first minutes, in which requests are accepted and reported.
package struct FleetVerifier: RequestVerifying {
  private let verifier: SharedSignatureVerifier

  /// Creates a verifier of one key.
  ///
  /// - Parameters:
  ///   - nonces: The store that the servers share.
  ///   - report: Receives each request that was accepted or refused without knowing.
  package init(
    key: DemoKey, nonces: some NonceStore, time: TimeSource = .system,
    report: @escaping @Sendable (_ error: NonceStoreError, _ policy: NonceStorePolicy) -> Void
  ) {
    verifier = SharedSignatureVerifier(
      SignatureVerifier(keys: SigningKeys(key.signing), window: SharedKeyVerifier.window, time: time),
      nonces: nonces,
      ifUnavailable: .failClosed, ifForgotten: .failOpen, report: report)
  }

  package func verify(_ request: ReceivedRequest) async throws(SignatureRefusal) {
    do throws(SignatureError) {
      try await verifier.verify(SignedRequest(request.head, body: request.body))
    } catch {
      throw SignatureRefusal(error)
    }
  }
}
