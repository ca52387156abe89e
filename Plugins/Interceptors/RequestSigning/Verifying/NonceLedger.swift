/// Which nonces were used lately: a pure state, bounded in memory.
///
/// Nonces lie in one set per second of signing. A nonce is accepted only while everything signed in its
/// second is remembered, so that a clock that is set back opens no door to what was forgotten meanwhile.
struct NonceLedger: Sendable {
  /// What becomes of a nonce.
  enum Verdict: Sendable, Hashable {
    /// It is new, and remembered from now on.
    case accepted
    /// It was used before.
    case replayed
    /// Its second is forgotten, so nobody can tell.
    case forgotten
    /// There is no room; forgetting an older one instead would let that one be replayed.
    case full
  }

  private struct Entry: Hashable {
    let keyID: String
    let nonce: Nonce
  }

  /// How long, in seconds, a signature is good before and after its time.
  let window: Int64
  /// The most nonces remembered at a time.
  let capacity: Int
  /// How many nonces are remembered.
  private(set) var count = 0
  private var entries: [Int64: Set<Entry>] = [:]
  private var forgottenThrough: Int64
  private var lastForgetting = Int64.min

  /// Makes a ledger.
  ///
  /// - Parameter start: The first second of signing that is accepted; what was signed earlier counts as
  ///   forgotten.
  init(window: Int64, capacity: Int, start: Int64 = .min) {
    self.window = window
    self.capacity = capacity
    forgottenThrough = start == .min ? .min : start - 1
  }

  /// Notes a nonce of a valid signature.
  mutating func record(keyID: String, nonce: Nonce, signedAt second: Int64, now: Int64) -> Verdict {
    forget(before: now - window, now: now)
    guard second > forgottenThrough else { return .forgotten }
    let entry = Entry(keyID: keyID, nonce: nonce)
    if entries[second]?.contains(entry) == true { return .replayed }
    guard count < capacity else { return .full }
    entries[second, default: []].insert(entry)
    count += 1
    return .accepted
  }

  /// Drops what is too old to be accepted anyway; at most once a second, and over no more than the live
  /// seconds.
  private mutating func forget(before oldest: Int64, now: Int64) {
    guard now != lastForgetting else { return }
    lastForgetting = now
    for second in entries.keys.filter({ $0 < oldest }) {
      count -= entries.removeValue(forKey: second)?.count ?? 0
      forgottenThrough = max(forgottenThrough, second)
    }
  }
}
