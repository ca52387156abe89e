import Cryptography
public import Interception
import Synchronization

/// Keeps nonces in the memory of the process, for a single server and for tests.
///
/// Its nonces are lost when the process ends; give `start` to refuse requests of the time before.
public final class MemoryNonceStore: NonceStore {
  private let capacity: Int
  private let start: WallTime?
  private let ledger: Mutex<NonceLedger>

  /// Creates an empty store.
  ///
  /// - Parameters:
  ///   - capacity: The maximum number of nonces remembered, about 130 bytes each. The default of 262,144 is
  ///     enough for 291 requests per second with a window of five minutes; beyond it, no nonce is claimed
  ///     until others expire.
  ///   - start: The time since which the nonces are complete, usually the time of launch; nil if no process
  ///     accepted requests before.
  public init(capacity: Int = 1 << 18, start: WallTime? = nil) {
    self.capacity = max(capacity, 0)
    self.start = start
    // Nonces are grouped by the second of their expiry, after which the ledger drops them.
    ledger = Mutex(NonceLedger(window: 0, capacity: self.capacity))
  }

  /// The number of nonces currently remembered.
  public var count: Int { ledger.withLock { $0.count } }

  /// Claims a nonce, without suspending.
  public func claim(_ claim: NonceClaim) async -> NonceVerdict {
    let verdict = ledger.withLock {
      $0.record(
        keyID: claim.keyID, high: claim.nonce.high, low: claim.nonce.low, signedAt: claim.expiry.seconds,
        now: claim.now.seconds)
    }
    switch verdict {
    case .replayed: return .known
    case .accepted:
      guard let start, claim.earliestUse < start else { return .claimed }
      return .unavailable(
        NonceStoreError(
          .forgotten,
          "The nonces in memory begin at the launch of the server; requests that may be older can't be checked."
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
