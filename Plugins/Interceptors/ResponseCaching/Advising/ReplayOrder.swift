/// An order of eviction.
protocol ReplayOrder {
  /// Adds an item.
  ///
  /// - Parameter next: The index of its next request.
  mutating func insert(_ item: Int, next: Int)
  /// Records a request of an item.
  mutating func touch(_ item: Int, next: Int)
  /// Removes and returns the next item to evict, among those that are present.
  mutating func removeNext(where isPresent: (Int) -> Bool) -> Int?
}

/// The order by time: LRU if a request renews an item, and FIFO otherwise.
struct StampOrder: ReplayOrder {
  private let isRenewed: Bool
  private var stamps: [Int]
  // An item is in the queue once per stamp; only the last one counts.
  private var queue: [(item: Int, stamp: Int)] = []
  private var head = 0

  init(_ itemCount: Int, isRenewed: Bool) {
    self.isRenewed = isRenewed
    stamps = Array(repeating: -1, count: itemCount)
  }

  mutating func insert(_ item: Int, next: Int) {
    stamps[item] = queue.count
    queue.append((item, queue.count))
  }

  mutating func touch(_ item: Int, next: Int) { if isRenewed { insert(item, next: next) } }

  mutating func removeNext(where isPresent: (Int) -> Bool) -> Int? {
    while head < queue.count {
      let (item, stamp) = queue[head]
      head += 1
      if stamps[item] == stamp, isPresent(item) { return item }
    }
    return nil
  }
}

/// The order by the next request, the farthest first: a binary heap.
struct FutureOrder: ReplayOrder {
  private var nexts: [Int]
  // An item is in the heap once per request; only the last one counts.
  private var heap: [(next: Int, item: Int)] = []

  init(_ itemCount: Int) { nexts = Array(repeating: -1, count: itemCount) }

  mutating func insert(_ item: Int, next: Int) {
    nexts[item] = next
    heap.append((next, item))
    var index = heap.count - 1
    while index > 0, heap[(index - 1) / 2].next < heap[index].next {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  mutating func touch(_ item: Int, next: Int) { insert(item, next: next) }

  mutating func removeNext(where isPresent: (Int) -> Bool) -> Int? {
    while let (next, item) = removeFirst() {
      if nexts[item] == next, isPresent(item) { return item }
    }
    return nil
  }

  private mutating func removeFirst() -> (next: Int, item: Int)? {
    guard let last = heap.popLast() else { return nil }
    guard let first = heap.first else { return last }
    heap[0] = last
    var index = 0
    while true {
      var child = 2 * index + 1
      guard child < heap.count else { return first }
      if child + 1 < heap.count, heap[child + 1].next > heap[child].next { child += 1 }
      guard heap[child].next > heap[index].next else { return first }
      heap.swapAt(index, child)
      index = child
    }
  }
}
