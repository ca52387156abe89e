/// Decides whether a request with a valid signature is accepted if the nonce store can't tell whether it was
/// received before.
public enum NonceStorePolicy: Sendable, Hashable {
  /// The request is accepted. It, and requests that were captured earlier, can be replayed while their times
  /// are valid.
  case failOpen
  /// The request is refused with the status 503.
  case failClosed
}

/// A nonce store and the policies for requests that it can't check, for the verifiers of every scheme.
package struct SharedNonces: Sendable {
  /// The reason why a request with a valid signature is refused.
  package enum Refusal: Error, Sendable, Hashable {
    /// The nonce was claimed before.
    case replayed
    /// The store can't tell whether the nonce was claimed before, and the policy refuses such requests.
    case unavailable(NonceStoreError)
  }

  private let store: any NonceStore
  private let unavailablePolicy: NonceStorePolicy
  private let forgottenPolicy: NonceStorePolicy
  private let report: @Sendable (NonceStoreError, NonceStorePolicy) -> Void

  /// Creates the nonces of a fleet.
  ///
  /// - Parameters:
  ///   - ifUnavailable: Applies while the store doesn't work.
  ///   - ifForgotten: Applies to requests that could have been accepted before the store's nonces were lost.
  ///   - report: Called for each request to which a policy is applied.
  package init(
    _ store: some NonceStore, ifUnavailable: NonceStorePolicy, ifForgotten: NonceStorePolicy,
    report: @escaping @Sendable (NonceStoreError, NonceStorePolicy) -> Void
  ) {
    self.store = store
    unavailablePolicy = ifUnavailable
    forgottenPolicy = ifForgotten
    self.report = report
  }

  /// Returns if the request may be accepted; throws otherwise.
  package func claim(_ claim: NonceClaim) async throws(Refusal) {
    switch await store.claim(claim) {
    case .claimed: return
    case .known: throw .replayed
    case .unavailable(let error):
      let policy = error.kind == .forgotten ? forgottenPolicy : unavailablePolicy
      report(error, policy)
      guard policy == .failOpen else { throw .unavailable(error) }
    }
  }
}
