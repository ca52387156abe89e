import Interception

/// Compares how fast content comes over HTTP/3 with how fast it came over TCP from the same origin.
///
/// Some networks let a connection over UDP be opened, and then throttle it to nearly nothing (caddy#6641). No
/// request fails there, so only the throughput shows it. A value without a clock and I/O.
///
/// Only content whose length is announced counts, of 256 KiB at least: a server that generates content may be
/// slow itself. Over HTTP/3 the bytes of all transfers of the loop are counted meanwhile, because they may
/// share the line, and content that waited for its reader does not count.
struct ThroughputComparison {
  /// How fast the content of one response came.
  struct Sample {
    /// The number of bytes of the content so far.
    let bytes: Int64
    /// The number of bytes that all transfers of the loop received in that time.
    let allBytes: Int64
    /// The time since the head.
    let time: Duration
    /// Whether the content is complete.
    let isComplete: Bool
    /// Whether its reader has had no room.
    let wasPaused: Bool

    fileprivate static func rate(_ bytes: Int64, in time: Duration) -> Double {
      // The clock is read once per round of the loop.
      Double(bytes) / (max(time, .milliseconds(1)) / .seconds(1))
    }
  }

  enum Verdict: Hashable {
    case unknown
    /// It is fast enough, or TCP was not much faster.
    case sufficient
    /// HTTP/3 should rest.
    case throttled
  }

  private struct Entry {
    /// The bytes per second over TCP, an exponentially weighted average.
    var rate: Double
    /// How much content came far too slowly over HTTP/3, since some came fast enough.
    var strikes = 0
    var time: Duration
  }

  /// The minimum length of content that counts.
  static let minimumLength: Int64 = 256 << 10
  /// How many times faster TCP must have been.
  static let factor = 10.0
  /// The bytes per second above which HTTP/3 is fast enough, however fast TCP was.
  static let sufficientRate = 1_048_576.0
  /// The time after which slow content counts: less may be the slow start of a connection.
  static let minimumTime = Duration.seconds(2)
  /// The time after which slow content counts twice, also while it comes.
  static let longTime = Duration.seconds(5)
  /// The number of strikes after which HTTP/3 rests.
  static let maximumStrikes = 2
  /// The weight of the latest content over TCP.
  private static let weight = 0.25
  static let capacity = 1_000

  private var entries: [AlternativeServices.Key: Entry] = [:]

  /// The number of origins and partitions of which something is kept.
  var count: Int { entries.count }

  /// Records content over TCP.
  mutating func noteTCP(_ sample: Sample, for key: AlternativeServices.Key, at now: Duration) {
    guard sample.isComplete else { return }
    let rate = Sample.rate(sample.bytes, in: sample.time)
    guard var entry = entries[key] else {
      if entries.count >= Self.capacity {
        entries.min { $0.value.time < $1.value.time }.map { entries[$0.key] = nil }
      }
      return entries[key] = Entry(rate: rate, time: now)
    }
    let average = entry.rate + Self.weight * (rate - entry.rate)
    // Content that waited for its reader shows only what TCP achieves at least.
    entry.rate = sample.wasPaused ? max(entry.rate, average) : average
    entry.time = now
    entries[key] = entry
  }

  /// Records content over HTTP/3, and decides whether it was throttled.
  mutating func noteHTTP3(_ sample: Sample, for key: AlternativeServices.Key) -> Verdict {
    guard !sample.wasPaused, sample.isComplete || sample.time >= Self.longTime, let entry = entries[key]
    else { return .unknown }
    let rate = Sample.rate(sample.allBytes, in: sample.time)
    if rate >= min(entry.rate / Self.factor, Self.sufficientRate) {
      if sample.isComplete { entries[key]?.strikes = 0 }
      return sample.isComplete ? .sufficient : .unknown
    }
    guard sample.time >= Self.minimumTime else { return .unknown }
    let strikes = entry.strikes + (sample.time >= Self.longTime ? Self.maximumStrikes : 1)
    entries[key]?.strikes = strikes >= Self.maximumStrikes ? 0 : strikes
    return strikes >= Self.maximumStrikes ? .throttled : .unknown
  }
}
