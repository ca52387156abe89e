import Interception
public import NonceStores

/// Verifies the signatures of requests on the servers of a fleet, which share their nonces in a `NonceStore`.
///
/// Use it if more than one process accepts the same requests; a replay may reach another process than the
/// original. For a single process, ``MessageVerifier`` is sufficient and doesn't suspend.
///
/// The store is asked last, so only requests with a valid signature reach it. What happens while the store
/// can't tell whether a nonce is new is the author's choice: `ifUnavailable` applies while it is not
/// reachable, slow or full, `ifForgotten` after it lost its nonces and when it is used for the first time. A
/// signature without a nonce, which only a policy without `requiresNonce` accepts, can be
/// replayed.
///
/// ```swift
/// let verifier = SharedMessageVerifier(
///   MessageVerifier(keys: MessageKeys(clientKey)), nonces: nonces,
///   ifUnavailable: .failClosed, ifForgotten: .failClosed
/// ) { error, policy in print("nonces: \(error) \(policy)") }
/// let signature = try await verifier.verify(SignableMessage(request, content: body))
/// ```
public struct SharedMessageVerifier: Sendable {
  private let verifier: MessageVerifier
  private let nonces: SharedNonces

  /// Creates a verifier.
  ///
  /// The clocks of the servers must agree to within the policy's clock skew.
  ///
  /// - Parameters:
  ///   - verifier: Verifies everything but the nonce; its own memory of nonces is not used.
  ///   - nonces: The store that all servers of the fleet share.
  ///   - ifUnavailable: Applies to valid requests while the store doesn't work.
  ///   - ifForgotten: Applies to valid requests that could have been accepted before the store's nonces were
  ///     lost.
  ///   - report: Called for each request to which a policy is applied, with the policy; it may be called by
  ///     many threads at the same time. Log it, and raise an alarm.
  public init(
    _ verifier: MessageVerifier, nonces: some NonceStore, ifUnavailable: NonceStorePolicy,
    ifForgotten: NonceStorePolicy,
    report: @escaping @Sendable (_ error: NonceStoreError, _ policy: NonceStorePolicy) -> Void
  ) {
    self.verifier = verifier
    self.nonces = SharedNonces(
      nonces, ifUnavailable: ifUnavailable, ifForgotten: ifForgotten, report: report)
  }

  /// Verifies a message's signature, and accepts its nonce once in the whole fleet.
  ///
  /// - Parameters:
  ///   - message: The message as received.
  ///   - request: The request of a response, as it was sent.
  /// - Throws: ``MessageSignatureError``, of the kind `replayed` for a repeated message, and of the kind
  ///   `unavailable` if a policy refuses it.
  @discardableResult
  public func verify(
    _ message: SignableMessage, inResponseTo request: SignableMessage? = nil
  ) async throws(MessageSignatureError) -> VerifiedSignature {
    let now = verifier.time.wallTime()
    let verified = try verifier.authenticate(message, inResponseTo: request, at: now.seconds)
    guard let nonce = verified.nonce else { return verified }
    let claim = NonceClaim(
      keyID: verified.keyID, nonce: try Nonce(hashing: nonce), signedAt: verified.created,
      lead: .seconds(verifier.skew), validity: .seconds(verifier.maximumAge + verifier.skew), now: now)
    try await nonces.claim(
      claim, replayed: MessageSignatureError(.replayedNonce),
      unavailable: { MessageSignatureError(.unavailableNonces($0)) })
    return verified
  }
}
