import Interception
import Testing

@testable import CurlTransport

@Suite("Throughput over HTTP/3 beside TCP") struct ThroughputComparisonTests {
  private typealias Sample = ThroughputComparison.Sample

  private func key(_ number: Int = 0) -> AlternativeServices.Key {
    .init(partition: "", origin: WebOrigin(scheme: .https, host: "h\(number).test", port: 443))
  }

  private func sample(
    _ bytes: Int64, in time: Duration, all: Int64? = nil, isComplete: Bool = true, wasPaused: Bool = false
  ) -> Sample {
    Sample(
      bytes: bytes, allBytes: all ?? bytes, time: time, isComplete: isComplete, wasPaused: wasPaused)
  }

  /// A comparison that has seen content over TCP, of 5 MB per second.
  private func comparison(_ rate: Int64 = 5_000_000) -> ThroughputComparison {
    var comparison = ThroughputComparison()
    comparison.noteTCP(sample(rate, in: .seconds(1)), for: key(), at: .zero)
    return comparison
  }

  @Test(
    "Content that takes five seconds, far more slowly than over TCP, is throttled at once",
    arguments: [
      // A tenth of TCP's rate is 500,000 bytes per second.
      (2_499_999, 5_000, true, .throttled), (2_500_000, 5_000, true, .sufficient),
      (2_499_999, 5_000, false, .throttled), (2_500_000, 5_000, false, .unknown),
      (1_000_000, 4_999, false, .unknown), (1_000_000, 4_999, true, .unknown),
      (262_144, 1_999, true, .unknown), (1_000_000, 2_000, true, .sufficient), (0, 5_000, false, .throttled),
    ] as [(Int64, Int64, Bool, ThroughputComparison.Verdict)])
  func long(
    bytes: Int64, milliseconds: Int64, isComplete: Bool, verdict: ThroughputComparison.Verdict
  ) {
    var comparison = comparison()
    let sample = sample(bytes, in: .milliseconds(milliseconds), isComplete: isComplete)
    #expect(comparison.noteHTTP3(sample, for: key()) == verdict)
  }

  @Test("Slow content of less than five seconds counts once, until some comes fast enough")
  func strikes() {
    var comparison = comparison()
    let slow = sample(300_000, in: .seconds(3))
    #expect(comparison.noteHTTP3(slow, for: key()) == .unknown)
    #expect(comparison.noteHTTP3(sample(300_000, in: .milliseconds(200)), for: key()) == .sufficient)
    #expect(comparison.noteHTTP3(slow, for: key()) == .unknown)
    #expect(comparison.noteHTTP3(slow, for: key()) == .throttled)
    // The next series begins anew.
    #expect(comparison.noteHTTP3(slow, for: key()) == .unknown)
    #expect(comparison.noteHTTP3(slow, for: key()) == .throttled)
  }

  @Test("Without content over TCP from the same origin nothing is compared")
  func withoutTCP() {
    var comparison = comparison()
    #expect(comparison.noteHTTP3(sample(300_000, in: .seconds(60)), for: key(1)) == .unknown)
    comparison.noteTCP(sample(300_000, in: .milliseconds(1), isComplete: false), for: key(1), at: .zero)
    #expect(comparison.noteHTTP3(sample(300_000, in: .seconds(60)), for: key(1)) == .unknown)
    #expect(comparison.count == 1)
  }

  @Test("A mebibyte per second is enough, however fast TCP was, and a slow origin is slow over both")
  func bounds() {
    var fast = comparison(500_000_000)
    #expect(fast.noteHTTP3(sample(10_485_760, in: .seconds(10)), for: key()) == .sufficient)
    #expect(fast.noteHTTP3(sample(10_485_759, in: .seconds(10)), for: key()) == .throttled)
    var slow = comparison(300_000)
    #expect(slow.noteHTTP3(sample(300_000, in: .seconds(9)), for: key()) == .sufficient)
    #expect(slow.noteHTTP3(sample(300_000, in: .seconds(11)), for: key()) == .throttled)
  }

  @Test("Content that waited for its reader, or shared the line with other transfers, is not slow")
  func backPressure() {
    var comparison = comparison()
    let paused = sample(300_000, in: .seconds(60), wasPaused: true)
    #expect(comparison.noteHTTP3(paused, for: key()) == .unknown)
    let shared = sample(300_000, in: .seconds(10), all: 5_000_000)
    #expect(comparison.noteHTTP3(shared, for: key()) == .sufficient)
  }

  @Test("The figure of TCP follows later content, and waiting for a reader only raises it")
  func average() {
    var comparison = comparison()
    let slow = sample(1_000_000, in: .seconds(5))
    for _ in 0..<20 {
      comparison.noteTCP(sample(500_000, in: .seconds(5), wasPaused: true), for: key(), at: .zero)
    }
    #expect(comparison.noteHTTP3(slow, for: key()) == .throttled)
    for _ in 0..<20 { comparison.noteTCP(sample(500_000, in: .seconds(1)), for: key(), at: .zero) }
    #expect(comparison.noteHTTP3(slow, for: key()) == .sufficient)
    for _ in 0..<20 {
      comparison.noteTCP(sample(5_000_000, in: .seconds(1), wasPaused: true), for: key(), at: .zero)
    }
    #expect(comparison.noteHTTP3(slow, for: key()) == .throttled)
  }

  @Test("Content that came within one round of the loop has a finite rate")
  func noTime() {
    var comparison = ThroughputComparison()
    comparison.noteTCP(sample(300_000, in: .zero), for: key(), at: .zero)
    #expect(comparison.noteHTTP3(sample(300_000, in: .zero), for: key()) == .sufficient)
    #expect(comparison.noteHTTP3(sample(300_000, in: .seconds(5)), for: key()) == .throttled)
  }

  @Test("At most a thousand figures are kept, and the oldest are evicted")
  func capacity() {
    var comparison = ThroughputComparison()
    for number in 0..<1_001 {
      comparison.noteTCP(sample(5_000_000, in: .seconds(1)), for: key(number), at: .seconds(number))
    }
    #expect(comparison.count == 1_000)
    let slow = sample(300_000, in: .seconds(5))
    #expect(comparison.noteHTTP3(slow, for: key(0)) == .unknown)
    #expect(comparison.noteHTTP3(slow, for: key(1)) == .throttled)
  }
}
