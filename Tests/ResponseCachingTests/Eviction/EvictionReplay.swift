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
}
