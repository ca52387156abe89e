public import Interception

/// Keeps nonces in the memory of the process, for a single server and for tests.
///
/// Its nonces are lost when the process ends. A new store therefore can't tell whether requests that may have
/// been accepted before it was created are replays, and reports them as `forgotten` for up to one window of
/// the verifier, which is five minutes by default. A server that must not refuse requests after a restart
/// keeps its nonces in a file, or has a short window.
public final class MemoryNonceStore: NonceStore {
  private let capacity: Int
  private let start: WallTime
  private let nonces: NonceRecord

  /// Creates an empty store.
  ///
  /// - Parameters:
  ///   - capacity: The maximum number of nonces remembered, about 130 bytes each. The default of 262,144 is
  ///     enough for 291 requests per second with a window of five minutes; beyond it, no nonce is claimed
  ///     until others expire.
  ///   - start: The time since which the nonces are complete, by the clock of the verifiers: that of creation
  ///     by default. Give an earlier one only if no process accepted requests since then.
  public init(capacity: Int = 1 << 18, start: WallTime = .now()) {
    self.capacity = max(capacity, 0)
    self.start = start
    // Nonces are grouped by the second of their expiry, after which the ledger drops them.
    nonces = NonceRecord(NonceLedger(window: 0, capacity: self.capacity))
  }

  /// The number of nonces currently remembered.
  package var count: Int { nonces.count }

  /// Claims a nonce, without suspending.
  public func claim(_ claim: NonceClaim) async -> NonceVerdict {
    let verdict = nonces.record(
      claim.nonce, keyID: claim.keyID, signedAt: claim.expiry.seconds, now: claim.now.seconds)
    switch verdict {
    case .replayed: return .known
    case .accepted:
      guard claim.earliestUse < start else { return .claimed }
      return .unavailable(
        NonceStoreError(
          .forgotten,
          "The nonces in memory begin with their store; a request that may have been accepted before can't be "
            + "checked. Keep them in a file or on a server, or accept such requests with failOpen."
        ))
    case .forgotten:
      return .unavailable(
        NonceStoreError(
          .forgotten, "The nonces in memory of this time were dropped, because the clock was set back."))
    case .full:
      return .unavailable(
        NonceStoreError(.full, "The memory holds its maximum of \(capacity) nonces; raise the capacity."))
    }
  }
}
