@testable import ResponseCaching

/// A cache of keys without values whose order is an `EvictionQueue`'s.
struct EvictionReplay {
  var queue: EvictionQueue
  private var ids: [UInt64: Int] = [:]
  private var keys: [Int: UInt64] = [:]

  init(queue: EvictionQueue) { self.queue = queue }

  /// Requests a key, which is inserted if it is absent; returns whether it was present.
  mutating func request(_ key: UInt64, size: Int = 1) -> Bool {
    if let id = ids[key] {
      queue.touch(id)
      return true
    }
    let (id, evicted) = queue.insert(fingerprint: key, size: size)
    for id in evicted { if let key = keys[id] { ids[key] = nil } }
    ids[key] = id
    keys[id] = key
    return false
  }

  /// Continues with a queue that was restored from the records of this one.
  mutating func restart(capacity: Int, countLimit: Int) {
    var restored = EvictionQueue(capacity: capacity, countLimit: countLimit)
    var (newIDs, newKeys): ([UInt64: Int], [Int: UInt64]) = ([:], [:])
    for (id, record) in queue.records {
      guard let new = restored.restore(record), let key = keys[id] else { continue }
      newIDs[key] = new
      newKeys[new] = key
    }
    for id in restored.evictExcess() { if let key = newKeys[id] { newIDs[key] = nil } }
    (queue, ids, keys) = (restored, newIDs, newKeys)
  }
}
