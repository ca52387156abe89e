/// Decides which items to evict, by S3-FIFO (SOSP 2023), within a limit of bytes and one of items.
///
/// New items enter a small queue, a tenth of the limit. Items visited twice there move to the main queue; the
/// others are evicted and leave a ghost. An item that is inserted again while its ghost is remembered enters
/// the main queue directly. In the main queue an item is reinserted once per visit, up to three. Ghosts are
/// remembered for as many bytes and items as the main queue may have. All operations take amortized constant
/// time.
///
/// Each eviction is made for the limit that is exceeded, bytes first: the main queue loses an item if it has
/// more than nine tenths of that limit, and the small queue otherwise. While only one limit is exceeded, the
/// other one has no effect on the order.
///
/// The policy resists scans and keeps what is requested again and again. It is weak for loads that move on:
/// an item that is requested a few times within a short period and never again is evicted from the small
/// queue before its next request if a tenth of the limit is less than the period's new items. LRU uses the
/// whole limit for such loads. `CacheAdvice` computes both from a recorded run.
package struct EvictionQueue: Sendable {
  /// The queue of an item, or of the ghost of an evicted one.
  private enum Location {
    case small
    case main
    case ghost
  }

  private struct Node {
    /// Nil if the node is free.
    var location: Location?
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
  // Nine tenths of the limits: the shares of the main queue, and the limits of ghosts.
  private let mainCapacity: Int
  private let mainCountLimit: Int
  private var nodes: [Node] = []
  private var free: [Int] = []
  private var ghostIDs: [UInt64: Int] = [:]
  private var small = Queue()
  private var main = Queue()
  private var ghosts = Queue()

  /// Creates an empty queue for at most `capacity` bytes and `countLimit` items.
  package init(capacity: Int, countLimit: Int = .max) {
    self.capacity = capacity
    self.countLimit = countLimit
    mainCapacity = capacity - capacity / 10
    mainCountLimit = countLimit - countLimit / 10
  }

  /// The total size of the items in bytes.
  package var size: Int { small.size + main.size }
  /// The number of items.
  package var count: Int { small.count + main.count }

  /// Adds an item that fits the limits; returns its id, and the evicted ids, which may be reused at once.
  package mutating func insert(fingerprint: UInt64, size: Int) -> (id: Int, evicted: [Int]) {
    let isRemembered = ghostIDs[fingerprint].map { discard($0) } != nil
    let evicted = evict(toFit: size, count: 1)
    let id = allocate(Node(size: size, fingerprint: fingerprint))
    push(id, into: isRemembered ? .main : .small)
    return (id, evicted)
  }

  /// Records a visit; returns false if it changes nothing, because more than three don't count.
  @discardableResult package mutating func touch(_ id: Int) -> Bool {
    guard nodes[id].visits < 3 else { return false }
    nodes[id].visits += 1
    return true
  }

  /// Changes an item's size; returns the evicted ids, possibly including the item's own.
  package mutating func resize(_ id: Int, to size: Int) -> [Int] {
    let growth = size - nodes[id].size
    withQueue(nodes[id].location) { $0.size += growth }
    nodes[id].size = size
    return evict()
  }

  /// Removes an item without leaving a ghost.
  package mutating func remove(_ id: Int) { discard(id) }

  /// Evicts items until more of the given size and number fit; returns the evicted ids.
  package mutating func evict(toFit size: Int = 0, count: Int = 0) -> [Int] {
    var evicted: [Int] = []
    while let victim = nextVictim(toFit: size, count: count) { evicted.append(victim) }
    return evicted
  }

  /// Evicts the next item for the limit that is exceeded; nil if none is, or if there is no item.
  private mutating func nextVictim(toFit size: Int, count: Int) -> Int? {
    let isMainOversize: Bool
    if self.size > capacity - size {
      isMainOversize = main.size > mainCapacity
    } else if self.count > countLimit - count {
      isMainOversize = main.count > mainCountLimit
    } else {
      return nil
    }
    if !isMainOversize, let victim = evictFromSmall() { return victim }
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

  private mutating func allocate(_ node: Node) -> Int {
    guard let id = free.popLast() else {
      nodes.append(node)
      return nodes.count - 1
    }
    nodes[id] = node
    return id
  }

  /// Makes a removed item the newest ghost.
  private mutating func leaveGhost(of id: Int) {
    if let former = ghostIDs[nodes[id].fingerprint] { discard(former) }
    ghostIDs[nodes[id].fingerprint] = id
    push(id, into: .ghost)
    while ghosts.size > mainCapacity || ghosts.count > mainCountLimit { discard(ghosts.oldest) }
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
    nodes[id].location = nil
  }

  private mutating func withQueue(_ location: Location?, _ change: (inout Queue) -> Void) {
    switch location {
    case .small: change(&small)
    case .main: change(&main)
    case .ghost: change(&ghosts)
    case nil: break
    }
  }
}
