import Interception
import NonceStores
import Synchronization

/// The nonces of the last minutes, shared by all threads of a server.
final class NonceWindow: Sendable {
  private let ledger: Mutex<NonceLedger>

  init(_ ledger: NonceLedger) { self.ledger = Mutex(ledger) }

  /// The number of nonces remembered.
  var count: Int { ledger.withLock { $0.count } }

  /// Records the nonce of a valid signature; of concurrent callers with the same nonce, only one gets
  /// `accepted`.
  func record(_ claims: SignatureClaims, now: WallTime) -> NonceLedger.Verdict {
    ledger.withLock {
      $0.record(
        keyID: claims.keyID, high: claims.nonce.high, low: claims.nonce.low, signedAt: claims.time.seconds,
        now: now.seconds)
    }
  }
}
