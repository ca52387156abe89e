import Testing

@testable import ResponseCaching

@Suite struct CacheAdviceTests {
  /// 40 responses of 100 bytes, of which a few are requested more often than the others.
  private static let recording = CacheRecording(
    entries: (0..<400).map { index in
      let key = index % 3 == 0 ? index / 3 % 5 : 5 + index * 11 % 35
      return CacheRecording.Entry(
        key: UInt64(key), time: .seconds(index), size: 100, lifetime: .seconds(120), isHit: index % 4 == 0)
    })

  @Test(
    "Hit ratios on the web07 trace are the published ones",
    .enabled(if: WebTrace.isThere || WebTrace.mustBeThere))
  func published() async throws {
    let keys = try await WebTrace.keys()
    let recording = CacheRecording(entries: keys.map { CacheRecording.Entry(key: $0, size: 1) })
    let advice = CacheAdvice(recording, bytes: [2_048, 204])
    let ratios: [(CacheAdvice.Policy, Double, Double)] = [
      (.s3FIFO, 43.8, 58.1), (.lru, 39.2, 55.7), (.fifo, 36.3, 53.1), (.optimal, 53.4, 68.1),
    ]
    for (policy, small, large) in ratios {
      for (bytes, percent) in [(204, small), (2_048, large)] {
        let result = try #require(advice.result(of: policy, bytes: bytes))
        #expect(abs(100 * result.hitRatio - percent) <= 0.15, "\(policy) at \(bytes): \(result.hitRatio)")
      }
    }
    #expect(advice.requests == 76_118 && advice.distinctRequests == 20_484)
    let byCount = CacheAdvice(recording, bytes: [1 << 20], responses: 204, policies: [.s3FIFO, .lru])
    for policy in [CacheAdvice.Policy.s3FIFO, .lru] {
      #expect(
        byCount.result(of: policy, bytes: 1 << 20)?.hits == advice.result(of: policy, bytes: 204)?.hits)
    }
  }

  @Test("The table has a row for each limit and a column for each policy")
  func table() {
    let advice = CacheAdvice(Self.recording, bytes: [2_048, 1_024, 1_024, -5, 1 << 20])
    #expect(
      advice.description == """
        400 requests, 40 of them different; hits of the run: 25.0 %
        hit ratio in percent:
        limit  S3-FIFO   LRU  FIFO   OPT
        1 KiB     27.3   0.0   0.0  41.3
        2 KiB     29.5  28.5  16.3  59.5
        1 MiB     68.8  68.8  68.8  68.8

        """)
  }

  @Test("A recording without requests, or with one limit, has a table")
  func degenerate() {
    for recording in [CacheRecording(), Self.recording] {
      for limits in [[], [0], [1 << 20]] {
        let advice = CacheAdvice(recording, bytes: limits)
        #expect(advice.results.count == limits.count * 4)
        #expect(!advice.description.contains("nan"))
      }
    }
    let none = CacheAdvice(Self.recording, bytes: [1 << 20], responses: 0)
    #expect(none.results.allSatisfy { $0.hits == 0 })
  }

  @Test("A stale response is no hit, and is fresh again after it was fetched")
  func freshness() {
    let entries = [0, 5, 9, 10, 12, 30].map { second in
      CacheRecording.Entry(key: 1, time: .seconds(second), size: 1, lifetime: .seconds(10))
    }
    let advice = CacheAdvice(CacheRecording(entries: entries), bytes: [100])
    // Hits at 5, 9 and 12 seconds.
    #expect(advice.results.allSatisfy { $0.hits == 3 })
  }

  @Test("A response that could not be stored, or is larger than a tenth of the limit, is no hit")
  func unstored() {
    func hits(_ size: Int?) -> [Int] {
      let entries = (0..<5).map { CacheRecording.Entry(key: 1, time: .seconds($0), size: size) }
      return CacheAdvice(CacheRecording(entries: entries), bytes: [100]).results.map(\.hits)
    }
    #expect(hits(nil) == [0, 0, 0, 0])
    #expect(hits(11) == [0, 0, 0, 0])
    #expect(hits(10) == [4, 4, 4, 4])
  }

  @Test("A response that changes its size counts with its last one")
  func sizes() {
    let entries = (0..<300).map { index in
      CacheRecording.Entry(
        key: UInt64(index % 7), time: .seconds(index), size: 1 + index % 10, lifetime: .seconds(3))
    }
    // Each request comes 7 seconds after the last one, so every response is stale.
    let advice = CacheAdvice(CacheRecording(entries: entries), bytes: [100])
    #expect(advice.results.allSatisfy { $0.hits == 0 })
  }
}
