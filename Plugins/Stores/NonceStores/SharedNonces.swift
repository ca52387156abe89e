/// A nonce store and the policies for requests that it can't check, for the verifiers of every scheme.
package struct SharedNonces: Sendable {
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

  /// Returns if the request may be accepted, and throws an error of the scheme otherwise.
  ///
  /// - Parameters:
  ///   - replayed: The error if the nonce was claimed before.
  ///   - unavailable: Returns the error if the store can't tell that, and the policy refuses such requests.
  package func claim<Failure: Error>(
    _ claim: NonceClaim, replayed: Failure, unavailable: (NonceStoreError) -> Failure
  ) async throws(Failure) {
    switch await store.claim(claim) {
    case .claimed: return
    case .known: throw replayed
    case .unavailable(let error):
      let policy = error.kind == .forgotten ? forgottenPolicy : unavailablePolicy
      report(error, policy)
      guard policy == .failOpen else { throw unavailable(error) }
    }
  }
}
