import SwitchyardTesting
import Testing

@testable import ResponseCaching

@Suite struct EvictionQueueTests {
  @Test("New items are evicted first, unless visited twice")
  func order() {
    var queue = EvictionQueue(capacity: 10)
    let ids = (0..<10).map { queue.insert(fingerprint: $0, size: 1).id }
    queue.touch(ids[0])
    queue.touch(ids[0])
    queue.touch(ids[1])
    #expect(queue.insert(fingerprint: 10, size: 1).evicted == [ids[1]])
    #expect(queue.insert(fingerprint: 11, size: 1).evicted == [ids[2]])
    #expect(queue.size == 10 && queue.count == 10)
  }

  @Test("An item inserted again while its ghost is remembered outlives new items")
  func ghosts() {
    var queue = EvictionQueue(capacity: 10)
    for number in 0..<11 { _ = queue.insert(fingerprint: UInt64(number), size: 1) }
    let returned = queue.insert(fingerprint: 0, size: 1).id
    for number in 20..<40 {
      #expect(!queue.insert(fingerprint: UInt64(number), size: 1).evicted.contains(returned))
    }
  }

  @Test("Size and count stay exact and within limits over 50,000 random steps")
  func accounts() {
    var random = SeededRandom(seed: 7)
    var queue = EvictionQueue(capacity: 1_000, countLimit: 60)
    var live: [Int: Int] = [:]
    for _ in 0..<50_000 {
      switch Int.random(in: 0...9, using: &random) {
      case 0...4:
        let size = Int.random(in: 1...100, using: &random)
        let (id, evicted) = queue.insert(fingerprint: UInt64.random(in: 0...300, using: &random), size: size)
        for gone in evicted { live[gone] = nil }
        if live[id] != nil { Issue.record("The id \(id) is in use.") }
        live[id] = size
      case 5...7:
        if let id = live.keys.randomElement(using: &random) { queue.touch(id) }
      case 8:
        guard let id = live.keys.randomElement(using: &random) else { continue }
        queue.remove(id)
        live[id] = nil
      default:
        guard let id = live.keys.randomElement(using: &random) else { continue }
        live[id] = Int.random(in: 1...100, using: &random)
        for gone in queue.resize(id, to: live[id] ?? 0) { live[gone] = nil }
      }
      let isExact = queue.count == live.count && queue.size == live.values.reduce(0, +)
      if !isExact || queue.size > 1_000 || queue.count > 60 { Issue.record("\(queue.count), \(queue.size)") }
    }
  }

  @Test(
    "Hit ratios on the web07 trace match those published for S3-FIFO within 0.3 points, by bytes and by count",
    .enabled(if: WebTrace.isThere || WebTrace.mustBeThere), arguments: [(204, 43.8), (2_048, 58.1)])
  func hitRatio(_ capacity: Int, percent: Double) async throws {
    let keys = try await WebTrace.keys()
    #expect(keys.count == 76_118)
    for queue in [EvictionQueue(capacity: capacity), EvictionQueue(capacity: .max, countLimit: capacity)] {
      var cache = EvictionReplay(queue: queue)
      let hits = keys.count { cache.request($0) }
      let ratio = 100 * Double(hits) / Double(keys.count)
      #expect(abs(ratio - percent) <= 0.3, "\(ratio)")
    }
  }
}
