import Interception
public import NonceStores

/// Verifies signatures on the servers of a fleet, which share their nonces in a `NonceStore`.
///
/// Use it if more than one process accepts the same requests; a replay may reach another process than the
/// original. For a single process, ``SignatureVerifier`` is sufficient and doesn't suspend.
///
/// The store is asked last, so only requests with a valid signature reach it. What happens while the store
/// can't tell whether a nonce is new is the author's choice and has no default:
///
/// * `ifUnavailable` applies while the store is not reachable, slow or full,
/// * `ifForgotten` applies after the store lost its nonces, for example if it was restarted empty, and when
///   it is used for the first time: to requests that could have been accepted before, that is, for up to two
///   windows.
///
/// Each such request is reported, whether it is accepted or refused.
///
/// ```swift
/// // For one process; a fleet uses ValkeyNonceStore of the product ValkeyStores. With failClosed all
/// // requests are refused for a window after each start, because the nonces of the time before are lost.
/// let nonces = MemoryNonceStore()
/// let verifier = SharedSignatureVerifier(
///   SignatureVerifier(keys: SigningKeys(key), window: .seconds(30)), nonces: nonces,
///   ifUnavailable: .failClosed, ifForgotten: .failClosed
/// ) { error, policy in print("nonces: \(error) \(policy)") }
/// let claims = try await verifier.verify(SignedRequest(request.head, body: body))
/// ```
public struct SharedSignatureVerifier: Sendable {
  private let verifier: SignatureVerifier
  private let nonces: SharedNonces

  /// Creates a verifier.
  ///
  /// The clocks of the servers must agree to within the verifier's window, and should to within a second.
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
    _ verifier: SignatureVerifier, nonces: some NonceStore, ifUnavailable: NonceStorePolicy,
    ifForgotten: NonceStorePolicy,
    report: @escaping @Sendable (_ error: NonceStoreError, _ policy: NonceStorePolicy) -> Void
  ) {
    self.verifier = verifier
    self.nonces = SharedNonces(
      nonces, ifUnavailable: ifUnavailable, ifForgotten: ifForgotten, report: report)
  }

  /// Verifies a request's signature, and accepts it once in the whole fleet.
  ///
  /// - Throws: ``SignatureError``; for a repeated request, ``SignatureError/replayedNonce``; if a policy
  ///   refuses it, ``SignatureError/unavailableNonces(_:)``.
  @discardableResult
  public func verify(_ request: SignedRequest) async throws(SignatureError) -> SignatureClaims {
    let now = verifier.time.wallTime()
    let claims = try verifier.authenticate(request, at: now)
    try await claimNonce(of: claims, at: now)
    return claims
  }

  /// Verifies the signature of a request that carries the caller's key, sealed to the platform, and accepts
  /// it once in the whole fleet.
  ///
  /// - Parameters:
  ///   - request: The request as received.
  ///   - opener: The platform's private keys.
  ///   - fingerprint: Returns the ``SigningKey/fingerprint()`` that is registered for a key's id, or nil if
  ///     the id is unknown.
  /// - Throws: ``SealedKeyError``, also for a repeated request, or one that a policy refuses.
  @discardableResult
  public func verify(
    _ request: SignedRequest, opening opener: SealedKeyOpener, fingerprint: (_ keyID: String) -> String?
  ) async throws(SealedKeyError) -> SignatureClaims {
    let now = verifier.time.wallTime()
    let claims = try verifier.authenticate(request, opening: opener, at: now, fingerprint: fingerprint)
    do throws(SignatureError) { try await claimNonce(of: claims, at: now) } catch {
      throw SealedKeyError(.signature(error))
    }
    return claims
  }

  private func claimNonce(of claims: SignatureClaims, at now: WallTime) async throws(SignatureError) {
    let claim = NonceClaim(
      keyID: claims.keyID, nonce: claims.nonce, signedAt: claims.time, lead: verifier.window,
      validity: verifier.window, now: now)
    try await nonces.claim(claim, replayed: .replayedNonce, unavailable: SignatureError.unavailableNonces)
  }
}
