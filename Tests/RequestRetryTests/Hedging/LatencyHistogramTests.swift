import SwitchyardTesting
import Testing

@testable import RequestRetry

@Suite struct LatencyHistogramTests {
  @Test(
    "A percentile is at least the sample of its rank, and at most an eighth more",
    arguments: [0.5, 0.9, 0.95, 0.99, 1])
  func percentiles(_ percentile: Double) throws {
    var random = SeededRandom(seed: 7)
    var histogram = LatencyHistogram()
    var samples: [Duration] = []
    for _ in 0..<LatencyHistogram.sampleLimit {
      // From 1 ms to 1 s, most of them short.
      let sample = Duration.milliseconds(1) / Double.random(in: 0.001...1, using: &random)
      samples.append(sample)
      histogram.add(sample)
    }
    let exact = samples.sorted()[Int((percentile * Double(samples.count)).rounded(.up)) - 1]
    let estimate = try #require(histogram.latency(atPercentile: percentile))
    #expect(estimate >= exact)
    #expect(estimate <= exact * 1.126)
  }

  @Test("There is no percentile without samples")
  func empty() { #expect(LatencyHistogram().latency(atPercentile: 0.95) == nil) }

  @Test(
    "Latencies outside the range are counted in the nearest bucket",
    arguments: [Duration.zero, .seconds(-1), .nanoseconds(1), .seconds(1_000), .seconds(Int64.max)])
  func bounds(_ latency: Duration) throws {
    var histogram = LatencyHistogram()
    histogram.add(latency)
    let estimate = try #require(histogram.latency(atPercentile: 0.5))
    #expect(estimate > .microseconds(100) && estimate < .seconds(105))
    #expect(estimate < .milliseconds(1) || latency > .seconds(1))
  }

  @Test("The distribution follows a server that becomes slower")
  func adapting() {
    var histogram = LatencyHistogram()
    for _ in 0..<100_000 { histogram.add(.milliseconds(5)) }
    #expect(histogram.sampleCount <= LatencyHistogram.sampleLimit)
    for _ in 0..<1_000 { histogram.add(.milliseconds(500)) }
    #expect(histogram.latency(atPercentile: 0.5).map { $0 >= .milliseconds(500) } == true)
  }
}
