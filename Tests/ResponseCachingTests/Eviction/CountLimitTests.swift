import SwitchyardTesting
import Testing

@testable import ResponseCaching

/// The eviction order when the limit of items is exceeded.
@Suite struct CountLimitTests {
  /// A load that moves on: each object is requested three times within 600 requests, and never again.
  private static let walk: [UInt64] = {
    var random = SeededRandom(seed: 5)
    let requests = (0..<20_000).flatMap { object in
      (0..<3).map { _ in (moment: 3 * object + Int.random(in: 0..<600, using: &random), object: object) }
    }
    return requests.sorted { ($0.moment, $0.object) < ($1.moment, $1.object) }.map { UInt64($0.object) }
  }()

  @Test("The small queue keeps its tenth while the main queue is full of warm items")
  func secondRequests() {
    var cache = EvictionReplay(queue: EvictionQueue(capacity: 16 << 20, countLimit: 4_096))
    for _ in 0..<4 { for key in 0..<4_096 as Range<UInt64> { _ = cache.request(key, size: 600) } }
    var hits = 0
    for group in 0..<2_000 as Range<UInt64> {
      let keys = (0..<5).map { 10_000 + group * 5 + $0 }
      for key in keys { _ = cache.request(key, size: 600) }
      hits += keys.count { cache.request($0, size: 600) }
    }
    #expect(hits == 10_000)
  }

  @Test("The order by count is that of S3-FIFO by the paper", arguments: [7, 10, 64, 190, 1_000])
  func reference(_ capacity: Int) {
    var cache = EvictionReplay(queue: EvictionQueue(capacity: .max, countLimit: capacity))
    var reference = ReferenceS3FIFO(capacity: capacity)
    let differences = Self.walk.count { cache.request($0, size: Int($0 % 5_000)) != reference.request($0) }
    #expect(differences == 0)
  }

  @Test(
    "On random loads, the order by count is that of S3-FIFO by the paper",
    arguments: 0..<20 as Range<UInt64>)
  func randomLoads(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let capacity = Int.random(in: 1...200, using: &random)
    var cache = EvictionReplay(queue: EvictionQueue(capacity: .max, countLimit: capacity))
    var reference = ReferenceS3FIFO(capacity: capacity)
    for _ in 0..<5_000 {
      // The minimum of two numbers, so that low keys are more frequent.
      let key = min(UInt64.random(in: 0..<400, using: &random), UInt64.random(in: 0..<400, using: &random))
      if cache.request(key) != reference.request(key) { Issue.record("Key \(key) at \(capacity) differs.") }
    }
  }

  @Test("A limit that is never exceeded has no effect on the order")
  func bothLimits() {
    var byCount = EvictionReplay(queue: EvictionQueue(capacity: .max, countLimit: 200))
    var byBytes = EvictionReplay(queue: EvictionQueue(capacity: 200))
    var withBytes = EvictionReplay(queue: EvictionQueue(capacity: 200, countLimit: 200))
    var withCount = EvictionReplay(queue: EvictionQueue(capacity: 400, countLimit: 200))
    for key in Self.walk {
      let hits = [byCount.request(key), byBytes.request(key), withBytes.request(key), withCount.request(key)]
      if Set(hits).count != 1 { Issue.record("Key \(key): \(hits).") }
    }
  }

  @Test("With large items in the main queue and many small ones, each limit is kept by its own share")
  func mixedSizes() {
    var cache = EvictionReplay(queue: EvictionQueue(capacity: 10_000, countLimit: 100))
    for _ in 0..<3 { for key in 0..<9 as Range<UInt64> { _ = cache.request(key, size: 1_050) } }
    // The number of items is exceeded; the large items are warm and few, so none of them is evicted.
    for key in 100..<1_000 as Range<UInt64> { _ = cache.request(key) }
    #expect(cache.queue.count == 100)
    let isKept = (0..<9 as Range<UInt64>).allSatisfy { cache.request($0, size: 1_050) }
    #expect(isKept)
  }

  @Test("The policy is weak for a load that moves on, as its documentation says")
  func walk() {
    var cache = EvictionReplay(queue: EvictionQueue(capacity: .max, countLimit: 190))
    var recent = ReferenceLRU(capacity: 190)
    let ratios = [
      Self.walk.count { cache.request($0) }, Self.walk.count { recent.request($0) },
    ].map { Double($0) / Double(Self.walk.count) }
    #expect(abs(ratios[0] - 0.32) < 0.02, "\(ratios)")
    #expect(abs(ratios[1] - 0.57) < 0.02, "\(ratios)")
  }
}
