/// The recorded entries, of a bounded number and size; the oldest ones are removed.
struct ArchiveStore: Sendable {
  private(set) var entries: [[UInt8]] = []
  /// The number of entries that were removed, or too large to keep.
  private(set) var omittedCount = 0
  private var byteCount = 0
  private let capacity: Int
  private let byteLimit: Int

  init(capacity: Int, byteLimit: Int) {
    self.capacity = max(1, capacity)
    self.byteLimit = max(1, byteLimit)
  }

  /// Adds an entry as JSON.
  mutating func add(_ entry: [UInt8]) {
    guard entry.count <= byteLimit else {
      omittedCount += 1
      return
    }
    entries.append(entry)
    byteCount += entry.count
    while entries.count > capacity || byteCount > byteLimit {
      byteCount -= entries.removeFirst().count
      omittedCount += 1
    }
  }

  mutating func removeAll() {
    entries = []
    (byteCount, omittedCount) = (0, 0)
  }
}
