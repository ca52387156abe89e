import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import ResponseCaching

@Suite struct CacheIndexTests {
  @Test("D7: Eviction enforces the byte limit, and no byte is counted after a removal")
  func byteLimit() throws {
    var index = CacheIndex(limits: MemoryStore.Limits(bytes: 100_000))
    for number in 0..<200 {
      let stored = try StoredResponse.stored(path: "/\(number)", body: [UInt8](repeating: 0, count: 5_000))
      #expect(index.store(stored, requestFields: [:]) == true)
      #expect(index.bytes <= 100_000)
    }
    #expect((15...19).contains(index.count))
    #expect(index.remove(.all) > 0)
    #expect(index.bytes == 0 && index.count == 0)
  }

  @Test("D7: Eviction enforces the count limit")
  func countLimit() throws {
    var index = CacheIndex(limits: MemoryStore.Limits(responses: 10))
    for number in 0..<30 { #expect(index.store(try .stored(path: "/\(number)"), requestFields: [:]) == true) }
    #expect(index.count == 10)
    var none = CacheIndex(limits: MemoryStore.Limits(responses: 0))
    #expect(try none.store(.stored(path: "/"), requestFields: [:]) == false)
  }

  @Test("A response over a tenth of the limit is declined, and the one it would replace removed")
  func oversize() throws {
    var index = CacheIndex(limits: MemoryStore.Limits(bytes: 100_000))
    #expect(try index.store(.stored(path: "/a", body: [1]), requestFields: [:]) == true)
    let large = try StoredResponse.stored(path: "/a", body: [UInt8](repeating: 0, count: 10_000))
    #expect(index.store(large, requestFields: [:]) == false)
    #expect(index.lookup(large.key, requestFields: [:]).response == nil)
    #expect(index.count == 0 && index.bytes == 0)
  }

  @Test("D7: Sweeping removes exactly the responses that have been stale for too long")
  func sweep() throws {
    var index = CacheIndex(limits: MemoryStore.Limits(staleFor: .seconds(100)))
    #expect(try index.store(.stored(path: "/60", lifetime: .seconds(60)), requestFields: [:]) == true)
    #expect(try index.store(.stored(path: "/90", lifetime: .seconds(90)), requestFields: [:]) == true)
    func instant(_ seconds: Int) -> CacheInstant {
      CacheInstant(wall: CacheFixture.start.advanced(by: .seconds(seconds)), steady: .seconds(seconds))
    }
    #expect(index.sweep(slots: .max, at: instant(160)) == 0)
    #expect(index.sweep(slots: .max, at: instant(161)) == 1)
    #expect(index.count == 1)
    #expect(index.sweep(slots: 4, at: instant(191)) == 1)
    #expect(index.count == 0)
  }

  @Test("The contents match an unlimited model over 20,000 random steps")
  func model() throws {
    var random = SeededRandom(seed: 3)
    var index = CacheIndex(limits: MemoryStore.Limits(bytes: 1 << 30, responses: 1_000))
    let keys = try (0..<40).map {
      try #require(CacheKey(.houses("/\($0 % 10)", partition: "\($0 / 10)"), leavingOut: .standard))
    }
    var model: [CacheKey: [UInt8]] = [:]
    for step in 0..<20_000 {
      let key = keys[Int.random(in: 0..<40, using: &random)]
      switch Int.random(in: 0...99, using: &random) {
      case 0...49:
        let body = [UInt8](repeating: UInt8(step % 256), count: step % 50)
        #expect(try index.store(.stored(under: key, body: body), requestFields: [:]) == true)
        model[key] = body
      case 50...95: #expect(index.lookup(key, requestFields: [:]).response?.body == model[key])
      case 96, 97:
        let selection = CacheSelection.target(key.subject.target)
        #expect(index.remove(selection) == model.keys.count(where: { selection.contains($0, tags: []) }))
        model = model.filter { !selection.contains($0.key, tags: []) }
      default:
        let selection = CacheSelection.partition(key.subject.partition)
        #expect(index.remove(selection) == model.keys.count(where: { selection.contains($0, tags: []) }))
        model = model.filter { !selection.contains($0.key, tags: []) }
      }
      #expect(index.count == model.count)
    }
  }
}
