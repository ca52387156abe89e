import Interception

/// The latencies of the origins, and the hedges that each may still cost.
///
/// Beyond `capacity` targets, the one that was used least recently is evicted.
struct HedgeLedger: Sendable {
  /// What latencies are learnt for: an origin, and the kind of delivery, because a buffered response takes
  /// until its last byte and a streamed one until its head.
  struct Target: Sendable, Hashable {
    let origin: RequestOrigin
    let isStreamed: Bool
  }

  private struct Entry: Sendable {
    var latencies = LatencyHistogram()
    var tokens = 0.0
    var usedAt: Duration
  }

  private static let tokenLimit = 5.0

  private let policy: HedgingPolicy
  private let capacity: Int
  private var entries: [Target: Entry] = [:]

  /// Creates an empty ledger.
  init(_ policy: HedgingPolicy, capacity: Int = 128) {
    self.policy = policy.clamped
    self.capacity = max(1, capacity)
  }

  /// The number of targets that are remembered.
  var count: Int { entries.count }

  /// Records that a request is sent, and returns the time after which it may be hedged.
  ///
  /// - Returns: nil if too few latencies are known, or if there is no hedge left.
  mutating func begin(_ target: Target, at now: Duration) -> Duration? {
    guard let index = entries.index(forKey: target) else { return nil }
    let tokens = min(Self.tokenLimit, entries.values[index].tokens + policy.share)
    entries.values[index].tokens = tokens
    entries.values[index].usedAt = now
    guard tokens >= 1, entries.values[index].latencies.sampleCount >= policy.sampleMinimum,
      let latency = entries.values[index].latencies.latency(atPercentile: policy.percentile)
    else { return nil }
    return min(max(latency, policy.minimumDelay), policy.maximumDelay)
  }

  /// Takes a hedge; returns false if there is none.
  mutating func takeHedge(of target: Target) -> Bool {
    guard let index = entries.index(forKey: target), entries.values[index].tokens >= 1 else { return false }
    entries.values[index].tokens -= 1
    return true
  }

  /// Records the latency of a first attempt.
  mutating func note(_ latency: Duration, of target: Target, at now: Duration) {
    entries[target, default: Entry(usedAt: now)].latencies.add(latency)
    // Linear in the capacity, but only when a target is new.
    guard entries.count > capacity else { return }
    if let oldest = entries.min(by: { $0.value.usedAt < $1.value.usedAt }) { entries[oldest.key] = nil }
  }
}
