extension EvictionQueue {
  /// An item or a ghost, as a store saves it to restore the order after a restart.
  package struct Record: Sendable, Hashable {
    /// The fingerprint, which must be the same after the restart.
    package var fingerprint: UInt64
    /// The size in bytes.
    package var size: Int
    /// The number of visits, at most three.
    package var visits: Int
    /// The queue.
    package var location: Location

    /// Creates a record.
    package init(fingerprint: UInt64, size: Int, visits: Int, location: Location) {
      self.fingerprint = fingerprint
      self.size = size
      self.visits = visits
      self.location = location
    }
  }

  /// The items and the ghosts in the order in which ``restore(_:)`` takes them: each queue from its oldest.
  ///
  /// The id of a ghost identifies no item.
  package var records: [(id: Int, record: Record)] {
    var records: [(id: Int, record: Record)] = []
    records.reserveCapacity(small.count + main.count + ghosts.count)
    for queue in [small, main, ghosts] {
      var id = queue.oldest
      while id >= 0 {
        if let record = record(of: id) { records.append((id, record)) }
        id = nodes[id].newer
      }
    }
    return records
  }

  /// Returns the record of an item; nil if the id is not in use.
  package func record(of id: Int) -> Record? {
    guard nodes.indices.contains(id), let location = nodes[id].location else { return nil }
    let node = nodes[id]
    return Record(
      fingerprint: node.fingerprint, size: node.size, visits: node.visits, location: location)
  }

  /// Adds an item as the newest of its queue; returns its id, or nil for a ghost.
  ///
  /// Nothing is evicted, so that the order doesn't depend on limits that have changed since. Call
  /// ``evictExcess()`` after the last record. Numbers out of range are clamped.
  package mutating func restore(_ record: Record) -> Int? {
    let node = Node(
      size: min(max(record.size, 0), 1 << 48), visits: min(max(record.visits, 0), 3),
      fingerprint: record.fingerprint)
    guard record.location == .ghost else { return add(node, to: record.location) }
    addGhost(node)
    return nil
  }

  /// Evicts items until both limits are kept; returns the evicted ids.
  package mutating func evictExcess() -> [Int] { evict() }
}
