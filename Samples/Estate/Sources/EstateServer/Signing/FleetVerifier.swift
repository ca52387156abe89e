public import HTTPServing
public import Interception
public import RequestSigning

/// Accepts requests signed with the demo key, each once by all servers that share a store of nonces.
///
/// If the store can't tell whether a request was received before, the request is refused with 503. A new
/// store can't tell for the first minutes, in which requests are accepted and reported.
public struct FleetVerifier: RequestVerifying {
  private let verifier: SharedSignatureVerifier

  /// Creates a verifier of one key.
  ///
  /// - Parameters:
  ///   - nonces: The store that the servers share.
  ///   - report: Receives each request that was accepted or refused without knowing.
  /// - Throws: `DemoKeyFault` if the key does not have the form that signing needs.
  public init(
    key: DemoKey, nonces: some NonceStore, time: TimeSource = .system,
    report: @escaping @Sendable (_ error: NonceStoreError, _ policy: NonceStorePolicy) -> Void
  ) throws(DemoKeyFault) {
    let keys = SigningKeys(try SharedKeyVerifier.signingKey(for: key))
    verifier = SharedSignatureVerifier(
      SignatureVerifier(keys: keys, window: SharedKeyVerifier.window, time: time), nonces: nonces,
      ifUnavailable: .failClosed,
      ifForgotten: .failOpen, report: report)
  }

  /// Returns the first time for each signed request; throws the reason otherwise.
  public func verify(_ request: ReceivedRequest) async throws(SignatureRefusal) {
    do throws(SignatureError) {
      try await verifier.verify(SignedRequest(request.head, body: request.body))
    } catch {
      throw SignatureRefusal(error)
    }
  }
}
