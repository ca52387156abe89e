/// A recording prepared for simulations: keys are numbered, and each request knows the next one of its key.
struct ReplayedRun {
  private struct Step {
    let item: Int
    let time: Duration
    let size: Int?
    let expiry: Duration?
    /// The index of the next request of the item; `Int.max` if there is none.
    var next = Int.max
  }

  private var steps: [Step] = []
  /// The number of different keys.
  let itemCount: Int

  init(_ recording: CacheRecording) {
    var items: [UInt64: Int] = [:]
    steps.reserveCapacity(recording.entries.count)
    for entry in recording.entries {
      let item = items[entry.key] ?? items.count
      items[entry.key] = item
      steps.append(
        Step(
          item: item, time: entry.time, size: entry.size, expiry: entry.lifetime.map { entry.time + $0 }))
    }
    itemCount = items.count
    var following = [Int](repeating: Int.max, count: items.count)
    for index in steps.indices.reversed() {
      steps[index].next = following[steps[index].item]
      following[steps[index].item] = index
    }
  }

  /// Returns the number of hits with a policy and limits.
  func hits(_ policy: CacheAdvice.Policy, capacity: Int, countLimit: Int) -> Int {
    let limits = (bytes: capacity, count: countLimit)
    switch policy {
    case .s3FIFO:
      let queue = EvictionQueue(capacity: capacity, countLimit: countLimit)
      return hits(ReplayedQueue(itemCount, queue), limits)
    case .lru: return hits(ReplayedOrder(itemCount, StampOrder(itemCount, isRenewed: true), limits), limits)
    case .fifo: return hits(ReplayedOrder(itemCount, StampOrder(itemCount, isRenewed: false), limits), limits)
    case .optimal: return hits(ReplayedOrder(itemCount, FutureOrder(itemCount), limits), limits)
    }
  }

  private func hits(_ cache: some ReplayedCache, _ limits: (bytes: Int, count: Int)) -> Int {
    guard limits.count > 0 else { return 0 }
    var cache = cache
    var expiries = [Duration?](repeating: nil, count: itemCount)
    var hits = 0
    for step in steps {
      if cache.contains(step.item) {
        cache.touch(step.item, next: step.next)
        if expiries[step.item].map({ step.time < $0 }) ?? true {
          hits += 1
          continue
        }
      }
      expiries[step.item] = step.expiry
      guard let size = step.size, size <= limits.bytes / 10 else {
        // A response that can't be stored replaces the former one.
        cache.remove(step.item)
        continue
      }
      cache.store(step.item, size: size, next: step.next)
    }
    return hits
  }
}

/// A cache of numbered items without content.
protocol ReplayedCache {
  /// Whether an item is present.
  func contains(_ item: Int) -> Bool
  /// Records a request of an item that is present.
  ///
  /// - Parameter next: The index of its next request.
  mutating func touch(_ item: Int, next: Int)
  /// Adds an item that fits the limits, or changes the size of one that is present.
  mutating func store(_ item: Int, size: Int, next: Int)
  /// Removes an item, if it is present.
  mutating func remove(_ item: Int)
}

/// A cache in the order of the stores' own queue.
struct ReplayedQueue: ReplayedCache {
  private var queue: EvictionQueue
  private var ids: [Int?]
  private var items: [Int] = []

  init(_ itemCount: Int, _ queue: EvictionQueue) {
    self.queue = queue
    ids = Array(repeating: nil, count: itemCount)
  }

  func contains(_ item: Int) -> Bool { ids[item] != nil }

  mutating func touch(_ item: Int, next: Int) { if let id = ids[item] { queue.touch(id) } }

  mutating func store(_ item: Int, size: Int, next: Int) {
    if let id = ids[item] {
      for id in queue.resize(id, to: size) { ids[items[id]] = nil }
      return
    }
    let (id, evicted) = queue.insert(fingerprint: UInt64(item), size: size)
    for id in evicted { ids[items[id]] = nil }
    while items.count <= id { items.append(item) }
    items[id] = item
    ids[item] = id
  }

  mutating func remove(_ item: Int) {
    guard let id = ids[item] else { return }
    queue.remove(id)
    ids[item] = nil
  }
}

/// A cache in an order from which items are evicted one by one.
struct ReplayedOrder<Order: ReplayOrder>: ReplayedCache {
  private var order: Order
  private let limits: (bytes: Int, count: Int)
  private var sizes: [Int?]
  private var size = 0
  private var count = 0

  init(_ itemCount: Int, _ order: Order, _ limits: (bytes: Int, count: Int)) {
    self.order = order
    self.limits = limits
    sizes = Array(repeating: nil, count: itemCount)
  }

  func contains(_ item: Int) -> Bool { sizes[item] != nil }

  mutating func touch(_ item: Int, next: Int) { order.touch(item, next: next) }

  mutating func store(_ item: Int, size newSize: Int, next: Int) {
    if let former = sizes[item] {
      size -= former
      count -= 1
    } else {
      order.insert(item, next: next)
    }
    sizes[item] = newSize
    size += newSize
    count += 1
    while size > limits.bytes || count > limits.count, let victim = order.removeNext(where: contains) {
      remove(victim)
    }
  }

  mutating func remove(_ item: Int) {
    guard let former = sizes[item] else { return }
    size -= former
    count -= 1
    sizes[item] = nil
  }
}

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
