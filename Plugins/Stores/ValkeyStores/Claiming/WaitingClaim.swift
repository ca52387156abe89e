import RequestSigning

/// A claim and the continuation of its caller.
struct WaitingClaim: Sendable {
  let claim: NonceClaim
  /// The time after which the claim is not sent any more.
  let deadline: Duration
  let continuation: CheckedContinuation<NonceVerdict, Never>
}
