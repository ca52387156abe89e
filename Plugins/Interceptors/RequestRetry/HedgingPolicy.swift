import Interception

/// When a read that takes unusually long is sent a second time, before its first attempt has ended.
///
/// Most of an origin's responses arrive within a time that the interceptor measures, and a few take many
/// times as long, because of a lost packet, a busy server or a collection of garbage. A second attempt, a
/// *hedge*, usually overtakes such a response (Dean and Barroso, "The Tail at Scale", 2013). It costs the
/// server at most `share` more requests, also when all its responses become slow.
///
/// ```swift
/// let retry = RetryInterceptor(hedging: HedgingPolicy(percentile: 0.99))
/// ```
public struct HedgingPolicy: Sendable, Hashable {
  /// The part of an origin's responses that arrive before a hedge would be sent; 0.95 by default, 0.5 to
  /// 0.999.
  package var percentile: Double
  /// The maximum number of hedges per request; 0.05 by default, 0 to 0.5.
  package var share: Double
  /// The number of responses after which the percentile of an origin is known; 50 by default, 1 to 1,000.
  package var sampleMinimum: Int
  /// The minimum wait for the first attempt; 10 ms by default.
  package var minimumDelay: Duration
  /// The maximum wait for the first attempt; 2 s by default.
  package var maximumDelay: Duration

  /// Creates a policy; the interceptor moves values outside the ranges to the nearest bound.
  ///
  /// - Parameters:
  ///   - percentile: The part of an origin's responses that arrive before a hedge would be sent; 0.95 by
  ///     default, 0.5 to 0.999.
  ///   - share: The maximum number of hedges per request; 0.05 by default, 0 to 0.5.
  ///
  ///     An origin saves at most 5 unused hedges for later requests.
  ///   - sampleMinimum: The number of responses after which the percentile of an origin is known; 50 by
  ///     default, 1 to 1,000.
  ///   - minimumDelay: The minimum wait for the first attempt; 10 ms by default.
  ///   - maximumDelay: The maximum wait for the first attempt; 2 s by default.
  public init(
    percentile: Double = 0.95, share: Double = 0.05, sampleMinimum: Int = 50,
    minimumDelay: Duration = .milliseconds(10), maximumDelay: Duration = .seconds(2)
  ) {
    self.percentile = percentile
    self.share = share
    self.sampleMinimum = sampleMinimum
    self.minimumDelay = minimumDelay
    self.maximumDelay = maximumDelay
  }

  /// The policy with all values within their ranges.
  var clamped: HedgingPolicy {
    var policy = self
    // Written so that a NaN becomes the lower bound.
    policy.percentile = percentile >= 0.5 ? min(percentile, 0.999) : 0.5
    policy.share = share >= 0 ? min(share, 0.5) : 0
    policy.sampleMinimum = min(max(1, sampleMinimum), LatencyHistogram.sampleLimit)
    policy.minimumDelay = max(.zero, minimumDelay)
    policy.maximumDelay = max(policy.minimumDelay, maximumDelay)
    return policy
  }
}

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

/// The distribution of recent latencies, in buckets whose bounds are at most 12.5 % apart.
///
/// It has a fixed size: 8 buckets for each doubling from 100 µs to 105 s. All counts are halved when there
/// are 1,000 samples, so that the distribution follows a server whose latency changes.
struct LatencyHistogram: Sendable, Hashable {
  /// The number of samples at which the counts are halved.
  static let sampleLimit = 1_000
  private static let unit = Duration.microseconds(100)
  private static let doublings = 20
  private static let bucketsPerDoubling = 8

  private var counts = [UInt16](repeating: 0, count: doublings * bucketsPerDoubling)
  /// The number of samples, of which older ones count in part.
  private(set) var sampleCount = 0

  /// Adds a latency.
  mutating func add(_ latency: Duration) {
    if sampleCount >= Self.sampleLimit { halve() }
    counts[Self.bucket(of: latency)] += 1
    sampleCount += 1
  }

  /// Returns a latency that at least this part of the samples does not exceed; nil without samples.
  ///
  /// - Parameter percentile: A number from 0 to 1.
  func latency(atPercentile percentile: Double) -> Duration? {
    let rank = max(1, (percentile * Double(sampleCount)).rounded(.up))
    var passed = 0.0
    for (bucket, count) in counts.enumerated() where count > 0 {
      passed += Double(count)
      if passed >= rank { return Self.upperBound(of: bucket) }
    }
    return nil
  }

  private mutating func halve() {
    sampleCount = 0
    for bucket in counts.indices {
      counts[bucket] /= 2
      sampleCount += Int(counts[bucket])
    }
  }

  private static func bucket(of latency: Duration) -> Int {
    let units = max(1, latency / unit)
    let doubling = Int(units.exponent)
    guard doubling < doublings else { return doublings * bucketsPerDoubling - 1 }
    return doubling * bucketsPerDoubling + Int((units.significand - 1) * Double(bucketsPerDoubling))
  }

  private static func upperBound(of bucket: Int) -> Duration {
    let (doubling, part) = bucket.quotientAndRemainder(dividingBy: bucketsPerDoubling)
    let significand = 1 + Double(part + 1) / Double(bucketsPerDoubling)
    return unit * (Double(1 << doubling) * significand)
  }
}
