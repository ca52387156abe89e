import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import ResourceLoading

@Suite struct DecodedTierTests {
  private static func variant(_ name: String, _ side: Int? = nil) throws -> ResourceVariant {
    let key = try ResourceKey(PictureServer.request(name))
    return ResourceVariant(key: key, size: side.map { PixelSize(width: $0, height: $0) })
  }

  /// A tier with room for a number of values with a cost of 1,000 besides that of their keys.
  private static func tier(roomFor count: Int) throws -> DecodedTier<String> {
    DecodedTier(ResourceLimits(decodedBytes: count * (1000 + (try variant("a").key.cost))))
  }

  @Test("The value that was used least recently is evicted first, and the cost never exceeds the limit")
  func eviction() throws {
    var tier = try Self.tier(roomFor: 3)
    for name in ["a", "b", "c"] {
      tier.insert(name, cost: 1000, of: try Self.variant(name), isUnseen: false, at: .zero)
    }
    #expect(try tier.cost == tier.limit && tier.value(of: Self.variant("a"), at: .zero) == "a")
    tier.insert("d", cost: 1000, of: try Self.variant("d"), isUnseen: false, at: .zero)
    let kept = try ["a", "b", "c", "d"].filter { tier.hasValue(of: try Self.variant($0), at: .zero) }
    #expect(kept == ["a", "c", "d"])
    #expect(tier.cost == tier.limit && tier.highestCost == tier.limit)
    tier.removeAll()
    #expect(tier.cost == 0 && tier.count == 0 && tier.highestCost == tier.limit)
  }

  @Test(
    "A value that alone exceeds the limit is not kept, and evicts none",
    arguments: [3000, 1_000_000, Int.max])
  func largeValues(_ cost: Int) throws {
    var tier = try Self.tier(roomFor: 2)
    tier.insert("a", cost: 10, of: try Self.variant("a"), isUnseen: false, at: .zero)
    tier.insert(
      "b", cost: cost + (cost < .max ? 100_000 : 0), of: try Self.variant("b"), isUnseen: false, at: .zero)
    #expect(try tier.count == 1 && tier.hasValue(of: Self.variant("a"), at: .zero))
  }

  @Test("Values that claim to cost nothing are limited in number, too", arguments: [0, -1, Int.min])
  func costless(_ cost: Int) throws {
    var tier = try Self.tier(roomFor: 2)
    for number in 0..<1000 {
      tier.insert("x", cost: cost, of: try Self.variant("\(number)"), isUnseen: false, at: .zero)
    }
    #expect(tier.cost <= tier.limit && tier.count < 10)
  }

  @Test("A value that has expired answers no load, and is still a placeholder")
  func expiry() throws {
    var tier = DecodedTier<String>(ResourceLimits(lifetime: .seconds(10)))
    let variant = try Self.variant("a")
    tier.insert("old", cost: 1, of: variant, isUnseen: false, at: .seconds(5))
    #expect(tier.value(of: variant, at: .seconds(14)) == "old")
    #expect(tier.value(of: variant, at: .seconds(15)) == nil && tier.placeholder(for: variant) == "old")
    tier.insert("new", cost: 1, of: variant, isUnseen: false, at: .seconds(15))
    #expect(tier.value(of: variant, at: .seconds(24)) == "new" && tier.count == 1)
  }

  /// The sides of the values that are kept, 0 for the resource's own size; the wanted one; the placeholder's.
  private static let placeholders: [(kept: [Int], wanted: Int, found: Int?)] = [
    ([], 10, nil),
    ([10], 10, 10),
    ([20, 10, 40], 10, 10),
    ([40, 20, 5], 10, 20),
    ([5, 8, 2], 10, 8),
    ([0, 40], 10, 40),
    ([40, 0], 10, 40),
    ([0, 5], 10, 0),
    ([5, 40], 0, 40),
    ([40, 0, 5], 0, 0),
  ]

  @Test(
    "A placeholder has the size, or the smallest one that covers it, or the largest one",
    arguments: placeholders.indices)
  func placeholder(_ index: Int) throws {
    let (kept, wanted, found) = Self.placeholders[index]
    var tier = DecodedTier<Int>(ResourceLimits())
    for side in kept {
      let variant = try Self.variant("a", side == 0 ? nil : side)
      tier.insert(side, cost: 1, of: variant, isUnseen: false, at: .zero)
    }
    tier.insert(99, cost: 1, of: try Self.variant("b", 10), isUnseen: false, at: .zero)
    #expect(try tier.placeholder(for: Self.variant("a", wanted == 0 ? nil : wanted)) == found)
  }

  @Test("The cost of what was prefetched and not seen is counted until it is seen, evicted or removed")
  func unseen() throws {
    var tier = try Self.tier(roomFor: 2)
    let own = 1000 + (try Self.variant("a").key.cost)
    tier.insert("a", cost: 1000, of: try Self.variant("a"), isUnseen: true, at: .zero)
    tier.insert("b", cost: 1000, of: try Self.variant("b"), isUnseen: true, at: .zero)
    #expect(tier.unseenCost == 2 * own)
    #expect(try tier.value(of: Self.variant("b"), at: .zero) == "b" && tier.unseenCost == own)
    tier.insert("c", cost: 1000, of: try Self.variant("c"), isUnseen: true, at: .zero)
    #expect(try tier.unseenCost == own && !tier.hasValue(of: Self.variant("a"), at: .zero))
    tier.markSeen(try Self.variant("c"))
    tier.markSeen(try Self.variant("c"))
    #expect(tier.unseenCost == 0)
    tier.insert("d", cost: 1000, of: try Self.variant("d"), isUnseen: true, at: .zero)
    tier.removeAll()
    #expect(tier.unseenCost == 0)
  }

  @Test("Each value that is replaced, evicted or removed is handed out once, to be released")
  func releasing() throws {
    var tier = try Self.tier(roomFor: 2)
    for name in ["a", "b", "c"] {
      tier.insert(name, cost: 1000, of: try Self.variant(name), isUnseen: false, at: .zero)
    }
    #expect(tier.takeEvicted() == ["a"] && tier.takeEvicted().isEmpty)
    tier.insert("d", cost: 1000, of: try Self.variant("c"), isUnseen: false, at: .zero)
    #expect(tier.takeEvicted() == ["c"])
    tier.removeAll()
    #expect(tier.takeEvicted().sorted() == ["b", "d"])
  }
}
