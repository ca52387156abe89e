package import Interception
import Synchronization

/// The nonces of the last minutes, shared by all threads of a process.
package final class NonceRecord: Sendable {
  private let ledger: Mutex<NonceLedger>

  /// Creates a record that begins with a ledger.
  package init(_ ledger: NonceLedger) { self.ledger = Mutex(ledger) }

  /// The number of nonces remembered.
  package var count: Int { ledger.withLock { $0.count } }

  /// Records the nonce of a valid signature; of concurrent callers with the same nonce, only one gets
  /// `accepted`.
  package func record(
    _ nonce: Nonce, keyID: String, signedAt second: Int64, now: Int64
  ) -> NonceLedger.Verdict {
    ledger.withLock {
      $0.record(keyID: keyID, high: nonce.high, low: nonce.low, signedAt: second, now: now)
    }
  }
}

/// Tracks recently used nonces; a pure value of bounded size.
///
/// Nonces are grouped by the second of signing. A nonce is accepted only while all nonces of its second are
/// still remembered, so setting the clock back never re-admits forgotten nonces.
package struct NonceLedger: Sendable {
  /// The result of recording a nonce.
  package enum Verdict: Sendable, Hashable {
    /// It is new, and was recorded.
    case accepted
    /// It was used before.
    case replayed
    /// The nonces of its second were dropped, so it can't be checked.
    case forgotten
    /// The capacity is reached; dropping an older nonce instead would allow a replay of it.
    case full
  }

  private struct Entry: Hashable {
    let keyID: String
    let high: UInt64
    let low: UInt64
  }

  /// How long a signature is valid before and after its time, in seconds.
  package let window: Int64
  /// The maximum number of nonces remembered.
  package let capacity: Int
  /// The number of nonces remembered.
  package private(set) var count = 0
  private var entries: [Int64: Set<Entry>] = [:]
  private var forgottenThrough: Int64
  private var lastForgetting = Int64.min

  /// Creates a ledger.
  ///
  /// - Parameters:
  ///   - start: The time since which the nonces are complete; nil if nothing was accepted before.
  ///   - lead: The maximum time by which a signature may be ahead of the clock. What was signed less than
  ///     that after `start` may have been accepted before `start`, and is treated as forgotten.
  package init(window: Int64, capacity: Int, start: WallTime? = nil, lead: Duration = .zero) {
    self.window = window
    self.capacity = capacity
    let first = start?.advanced(by: lead)
    forgottenThrough = first.map { $0.nanoseconds > 0 ? $0.seconds : $0.seconds - 1 } ?? .min
  }

  /// Records the nonce of a valid signature.
  ///
  /// - Parameters:
  ///   - high: The first half of the nonce, or of its hash.
  ///   - low: The second half.
  package mutating func record(
    keyID: String, high: UInt64, low: UInt64, signedAt second: Int64, now: Int64
  ) -> Verdict {
    forget(before: now - window, now: now)
    guard second > forgottenThrough else { return .forgotten }
    let entry = Entry(keyID: keyID, high: high, low: low)
    if entries[second]?.contains(entry) == true { return .replayed }
    guard count < capacity else { return .full }
    entries[second, default: []].insert(entry)
    count += 1
    return .accepted
  }

  /// Drops nonces that are too old to be accepted; at most once per second, over the remembered seconds only.
  private mutating func forget(before oldest: Int64, now: Int64) {
    guard now != lastForgetting else { return }
    lastForgetting = now
    for second in entries.keys.filter({ $0 < oldest }) {
      count -= entries.removeValue(forKey: second)?.count ?? 0
      forgottenThrough = max(forgottenThrough, second)
    }
  }
}
