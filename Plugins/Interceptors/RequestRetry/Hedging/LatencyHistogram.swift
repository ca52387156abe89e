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
