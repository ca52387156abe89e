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
