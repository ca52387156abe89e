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
