import SwitchyardTesting
import Testing

@testable import RateLimiting

@Suite struct TokenBucketTests {
  @Test("A full bucket permits its burst at once, then one request per interval")
  func burst() {
    var bucket = TokenBucket(RateLimit(10, burst: 3), at: .seconds(7))
    for _ in 0..<3 { #expect(bucket.take(at: .seconds(7)) == true) }
    #expect(bucket.take(at: .seconds(7)) == false)
    #expect(bucket.wait(at: .seconds(7)) == .milliseconds(100))
    #expect(bucket.wait(at: .milliseconds(7_060)) == .milliseconds(40))
    #expect(bucket.take(at: .milliseconds(7_099)) == false)
    #expect(bucket.take(at: .milliseconds(7_100)) == true)
    #expect(bucket.take(at: .milliseconds(7_150)) == false)
  }

  @Test("A pause fills the bucket up to its burst and no further")
  func pause() {
    var bucket = TokenBucket(RateLimit(10, burst: 3), at: .zero)
    for _ in 0..<3 { #expect(bucket.take(at: .zero) == true) }
    #expect(!bucket.isFull(at: .milliseconds(299)))
    #expect(bucket.isFull(at: .milliseconds(300)))
    for _ in 0..<3 { #expect(bucket.take(at: .seconds(3_600)) == true) }
    #expect(bucket.take(at: .seconds(3_600)) == false)
  }

  @Test("At any times the number of requests stays within burst and rate, and a refused request has to wait")
  func bound() {
    for seed in UInt64(0)..<20 {
      var random = SeededRandom(seed: seed)
      let limit = RateLimit(
        Int.random(in: 1...50, using: &random), per: .milliseconds(Int.random(in: 1...2_000, using: &random)),
        burst: Int.random(in: 1...20, using: &random))
      var bucket = TokenBucket(limit, at: .zero)
      var now = Duration.zero
      var taken: [Duration] = []
      for _ in 0..<2_000 {
        now += .microseconds(Int.random(in: 0..<20_000, using: &random))
        let wait = bucket.wait(at: now)
        #expect(bucket.take(at: now) == (wait == .zero))
        if wait == .zero { taken.append(now) }
      }
      for (first, start) in taken.enumerated() where first.isMultiple(of: 17) {
        for (last, end) in taken.enumerated().dropFirst(first) {
          // Between two instants: the burst, and one request per interval.
          let bound = Double(limit.burst) + (end - start) / limit.interval
          #expect(Double(last - first + 1) <= bound + 0.001, "seed \(seed)")
        }
      }
    }
  }

  @Test(
    "Values outside their ranges are moved to the nearest bound",
    arguments: [
      (RateLimit(0), 1, Duration.seconds(1), 1),
      (RateLimit(-5, per: .zero, burst: 0), 1, .microseconds(1), 1),
      (
        RateLimit(.max, per: .seconds(Int64.max), burst: .max), 1_000_000_000, .seconds(366 * 86_400),
        1_000_000_000
      ),
      (RateLimit(20), 20, .seconds(1), 20),
    ])
  func ranges(_ limit: RateLimit, _ count: Int, _ period: Duration, _ burst: Int) {
    #expect(limit.count == count)
    #expect(limit.period == period)
    #expect(limit.burst == burst)
    var bucket = TokenBucket(limit, at: .zero)
    #expect(bucket.take(at: .zero) == true)
  }
}
