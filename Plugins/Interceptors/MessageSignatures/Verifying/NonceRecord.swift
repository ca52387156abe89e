import Cryptography
import NonceStores
import Synchronization

/// The nonces of the last minutes, shared by all threads of a process.
final class NonceRecord: Sendable {
  private let ledger: Mutex<NonceLedger>

  init(_ ledger: NonceLedger) { self.ledger = Mutex(ledger) }

  /// The number of nonces remembered.
  var count: Int { ledger.withLock { $0.count } }

  /// Records the nonce of a valid signature; of concurrent callers with the same nonce, only one gets
  /// `accepted`.
  func record(
    _ nonce: String, keyID: String, created: Int64, now: Int64
  ) throws(MessageSignatureError) -> NonceLedger.Verdict {
    let nonce = try Nonce(hashing: nonce)
    return ledger.withLock { ledger in
      ledger.record(keyID: keyID, high: nonce.high, low: nonce.low, signedAt: created, now: now)
    }
  }
}

extension Nonce {
  /// Creates the nonce under which that of a message is remembered: half of its SHA-256, which bounds the
  /// memory for a nonce of any length and has no collisions in practice.
  init(hashing nonce: String) throws(MessageSignatureError) {
    let hash: HashValue
    do throws(CryptographyError) { hash = try HashValue(sha256: Array(nonce.utf8)) } catch {
      throw .cryptography(operation: error.operation)
    }
    let (high, low) = hash.withBytes { bytes in
      (bytes.load(as: UInt64.self), bytes.load(fromByteOffset: 8, as: UInt64.self))
    }
    // The same number on every machine of a fleet.
    self.init(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
  }
}
