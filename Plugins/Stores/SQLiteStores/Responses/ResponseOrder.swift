#if SQLite
import ResponseCaching

/// The eviction order of the rows of a database.
struct ResponseOrder: Sendable {
  private var queue: EvictionQueue
  private var rowsBySlot: [Int64] = []
  private var slotsByRow: [Int64: Int] = [:]

  init(capacity: Int, countLimit: Int) {
    queue = EvictionQueue(capacity: capacity, countLimit: countLimit)
  }

  var count: Int { queue.count }
  /// The total size of the rows.
  var size: Int { queue.size }

  /// Adds a row, and returns those that are evicted for it.
  mutating func insert(_ row: Int64, fingerprint: UInt64, size: Int) -> [Int64] {
    let (slot, evicted) = queue.insert(fingerprint: fingerprint, size: size)
    let rows = forget(evicted)
    while rowsBySlot.count <= slot { rowsBySlot.append(0) }
    rowsBySlot[slot] = row
    slotsByRow[row] = slot
    return rows
  }

  /// Evicts rows until others of a size would fit, and returns them.
  mutating func evict(toFit size: Int) -> [Int64] { forget(queue.evict(toFit: size)) }

  /// Records a visit.
  mutating func touch(_ row: Int64) {
    if let slot = slotsByRow[row] { queue.touch(slot) }
  }

  /// Removes a row; one that isn't known yet is ignored.
  mutating func remove(_ row: Int64) {
    if let slot = slotsByRow.removeValue(forKey: row) { queue.remove(slot) }
  }

  private mutating func forget(_ slots: [Int]) -> [Int64] {
    slots.map { slot in
      slotsByRow[rowsBySlot[slot]] = nil
      return rowsBySlot[slot]
    }
  }
}
#endif
