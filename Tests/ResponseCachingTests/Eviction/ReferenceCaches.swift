/// S3-FIFO by the paper (SOSP 2023), for items of the same size, as arrays.
///
/// The small queue has a tenth of the capacity, and as many ghosts are remembered as the main queue has
/// items. An item moves to the main queue after two visits, and at most three visits are counted.
struct ReferenceS3FIFO {
  private let capacity: Int
  private let mainCapacity: Int
  private var small: [UInt64] = []
  private var main: [UInt64] = []
  private var ghosts: [UInt64] = []
  private var visits: [UInt64: Int] = [:]

  init(capacity: Int) {
    self.capacity = capacity
    mainCapacity = capacity - capacity / 10
  }

  mutating func request(_ key: UInt64) -> Bool {
    if let count = visits[key] {
      visits[key] = min(count + 1, 3)
      return true
    }
    let ghost = ghosts.firstIndex(of: key)
    if let ghost { ghosts.remove(at: ghost) }
    while visits.count >= capacity { evict() }
    visits[key] = 0
    if ghost == nil { small.append(key) } else { main.append(key) }
    return false
  }

  private mutating func evict() {
    if main.count <= mainCapacity, evictFromSmall() { return }
    while !main.isEmpty {
      let key = main.removeFirst()
      guard let count = visits[key], count > 0 else {
        visits[key] = nil
        return
      }
      visits[key] = count - 1
      main.append(key)
    }
  }

  private mutating func evictFromSmall() -> Bool {
    while !small.isEmpty {
      let key = small.removeFirst()
      guard visits[key, default: 0] >= 2 else {
        visits[key] = nil
        ghosts.append(key)
        if ghosts.count > mainCapacity { ghosts.removeFirst() }
        return true
      }
      visits[key] = 0
      main.append(key)
    }
    return false
  }
}

/// LRU for items of the same size, as an array.
struct ReferenceLRU {
  private let capacity: Int
  private var keys: [UInt64] = []

  init(capacity: Int) { self.capacity = capacity }

  mutating func request(_ key: UInt64) -> Bool {
    let index = keys.lastIndex(of: key)
    if let index { keys.remove(at: index) } else if keys.count == capacity { keys.removeFirst() }
    keys.append(key)
    return index != nil
  }
}
