/// Decides which items to evict, by S3-FIFO (SOSP 2023), counting bytes.
///
/// New items enter a small queue, a tenth of the capacity. Items visited twice there move to the main queue;
/// the others are evicted and leave a ghost. An item that is inserted again while its ghost is remembered
/// enters the main queue directly. In the main queue an item is reinserted once per visit, up to three. All
/// operations take amortized constant time.
struct EvictionQueue {
  private enum Location {
    case free
    case small
    case main
    case ghost
  }

  private struct Node {
    var location = Location.free
    var size = 0
    var visits = 0
    var fingerprint: UInt64 = 0
    var newer = -1
    var older = -1
  }

  private struct Queue {
    var newest = -1
    var oldest = -1
    var size = 0
    var count = 0
  }

  private let capacity: Int
  private let countLimit: Int
  private let smallCapacity: Int
  private var nodes: [Node] = []
  private var free: [Int] = []
  private var ghostIDs: [UInt64: Int] = [:]
  private var small = Queue()
  private var main = Queue()
  private var ghosts = Queue()

  /// Creates an empty queue for at most `capacity` bytes and `countLimit` items.
  init(capacity: Int, countLimit: Int = .max) {
    self.capacity = capacity
    self.countLimit = countLimit
    smallCapacity = capacity / 10
  }

  /// The total size of the items in bytes.
  var size: Int { small.size + main.size }
  /// The number of items.
  var count: Int { small.count + main.count }

  /// Adds an item that fits the capacity; returns its id, and the evicted ids, which may be reused at once.
  mutating func insert(fingerprint: UInt64, size: Int) -> (id: Int, evicted: [Int]) {
    let isRemembered = ghostIDs[fingerprint].map { discard($0) } != nil
    var evicted: [Int] = []
    while self.size + size > capacity || count >= countLimit, let victim = evict() { evicted.append(victim) }
    let id = free.popLast() ?? nodes.count
    if id == nodes.count { nodes.append(Node()) }
    nodes[id] = Node(size: size, fingerprint: fingerprint)
    push(id, into: isRemembered ? .main : .small)
    return (id, evicted)
  }

  /// Records a visit.
  mutating func touch(_ id: Int) { nodes[id].visits = min(nodes[id].visits + 1, 3) }

  /// Changes an item's size; returns the evicted ids, possibly including the item's own.
  mutating func resize(_ id: Int, to size: Int) -> [Int] {
    let growth = size - nodes[id].size
    withQueue(nodes[id].location) { $0.size += growth }
    nodes[id].size = size
    var evicted: [Int] = []
    while self.size > capacity, let victim = evict() { evicted.append(victim) }
    return evicted
  }

  /// Removes an item without leaving a ghost.
  mutating func remove(_ id: Int) { discard(id) }

  /// Evicts the next item; nil if there is none.
  private mutating func evict() -> Int? {
    if small.count > 0, main.size <= capacity - smallCapacity, let victim = evictFromSmall() { return victim }
    return evictFromMain()
  }

  private mutating func evictFromSmall() -> Int? {
    while small.count > 0 {
      let id = small.oldest
      unlink(id)
      if nodes[id].visits >= 2 {
        nodes[id].visits = 0
        push(id, into: .main)
      } else {
        leaveGhost(of: id)
        return id
      }
    }
    return nil
  }

  private mutating func evictFromMain() -> Int? {
    while main.count > 0 {
      let id = main.oldest
      guard nodes[id].visits > 0 else {
        discard(id)
        return id
      }
      unlink(id)
      nodes[id].visits -= 1
      push(id, into: .main)
    }
    return nil
  }

  private mutating func leaveGhost(of id: Int) {
    if let former = ghostIDs[nodes[id].fingerprint] { discard(former) }
    ghostIDs[nodes[id].fingerprint] = id
    push(id, into: .ghost)
    while ghosts.size > capacity - smallCapacity || ghosts.count > countLimit { discard(ghosts.oldest) }
  }

  private mutating func discard(_ id: Int) {
    if nodes[id].location == .ghost { ghostIDs[nodes[id].fingerprint] = nil }
    unlink(id)
    free.append(id)
  }

  private mutating func push(_ id: Int, into location: Location) {
    let size = nodes[id].size
    var formerNewest = -1
    withQueue(location) { queue in
      formerNewest = queue.newest
      queue.newest = id
      if queue.oldest < 0 { queue.oldest = id }
      queue.size += size
      queue.count += 1
    }
    nodes[id].location = location
    nodes[id].newer = -1
    nodes[id].older = formerNewest
    if formerNewest >= 0 { nodes[formerNewest].newer = id }
  }

  private mutating func unlink(_ id: Int) {
    let node = nodes[id]
    if node.newer >= 0 { nodes[node.newer].older = node.older }
    if node.older >= 0 { nodes[node.older].newer = node.newer }
    withQueue(node.location) { queue in
      if queue.newest == id { queue.newest = node.older }
      if queue.oldest == id { queue.oldest = node.newer }
      queue.size -= node.size
      queue.count -= 1
    }
    nodes[id].location = .free
  }

  private mutating func withQueue(_ location: Location, _ change: (inout Queue) -> Void) {
    switch location {
    case .small: change(&small)
    case .main: change(&main)
    case .ghost: change(&ghosts)
    case .free: break
    }
  }
}
