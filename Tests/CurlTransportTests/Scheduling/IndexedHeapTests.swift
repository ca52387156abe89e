import SwitchyardTesting
import Synchronization
import Testing

@testable import CurlTransport

@Suite("A priority queue with removal") struct IndexedHeapTests {
  @Test("Elements leave by increasing rank")
  func order() {
    var heap = IndexedHeap<String, Int>()
    for (key, rank) in [("c", 3), ("a", 1), ("e", 5), ("b", 2), ("d", 4)] { heap.insert(key, rank: rank) }
    #expect(heap.ranks == [1, 2, 3, 4, 5])
    var keys = ""
    while let key = heap.first?.key {
      keys += key
      heap.remove(key)
    }
    #expect(keys == "abcde")
    #expect(heap.isEmpty)
  }

  @Test("Inserting a key again changes its rank")
  func change() {
    var heap = IndexedHeap<String, Int>()
    heap.insert("a", rank: 1)
    heap.insert("b", rank: 2)
    heap.insert("a", rank: 3)
    #expect(heap.first?.key == "b")
    #expect(heap.count == 2)
    heap.insert("a", rank: 0)
    #expect(heap.first?.key == "a")
  }

  @Test("Removing an unknown key does nothing")
  func unknown() {
    var heap = IndexedHeap<String, Int>()
    #expect(heap.remove("a") == nil)
    heap.insert("a", rank: 1)
    #expect(heap.remove("b") == nil)
    #expect(heap.remove("a") == 1)
    #expect(heap.remove("a") == nil)
  }

  @Test("Random changes leave it like a dictionary", arguments: UInt64(1)...20)
  func model(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var heap = IndexedHeap<Int, Int>()
    var model: [Int: Int] = [:]
    for _ in 0..<2_000 {
      let key = Int.random(in: 0..<50, using: &random)
      if Bool.random(using: &random) {
        let rank = Int.random(in: 0..<1_000, using: &random)
        heap.insert(key, rank: rank)
        model[key] = rank
      } else {
        try #require(heap.remove(key) == model.removeValue(forKey: key))
      }
      try #require(heap.first?.rank == model.values.min())
      try #require(heap.count == model.count)
      if let first = heap.first { try #require(model[first.key] == first.rank) }
    }
    #expect(heap.ranks == model.values.sorted())
  }

  /// A rank that counts the comparisons with it.
  private struct Counted: Comparable {
    final class Counter: Sendable { let value = Atomic(0) }
    let rank: Int
    let counter: Counter

    static func == (left: Counted, right: Counted) -> Bool { left.rank == right.rank }
    static func < (left: Counted, right: Counted) -> Bool {
      left.counter.value.add(1, ordering: .relaxed)
      return left.rank < right.rank
    }
  }

  @Test("A change among 4,096 elements takes at most 40 comparisons")
  func work() {
    let counter = Counted.Counter()
    var random = SeededRandom(seed: 1)
    var heap = IndexedHeap<Int, Counted>()
    for key in 0..<4_096 {
      heap.insert(key, rank: Counted(rank: .random(in: 0..<1_000_000, using: &random), counter: counter))
    }
    for key in 0..<4_096 {
      let before = counter.value.load(ordering: .relaxed)
      heap.insert(key, rank: Counted(rank: .random(in: 0..<1_000_000, using: &random), counter: counter))
      #expect(counter.value.load(ordering: .relaxed) - before <= 40)
    }
    while let first = heap.first {
      let before = counter.value.load(ordering: .relaxed)
      heap.remove(first.key)
      #expect(counter.value.load(ordering: .relaxed) - before <= 40)
    }
  }
}
