/// The recorded entries, of a bounded number and size; the oldest ones are removed.
struct ArchiveStore: Sendable {
  struct Entry: Sendable {
    let json: [UInt8]
    /// The partition of the request.
    let partition: String
  }

  private(set) var entries: [Entry] = []
  /// The number of entries that were removed, or too large to keep.
  private(set) var omittedCount = 0
  private var byteCount = 0
  private let capacity: Int
  private let byteLimit: Int

  init(capacity: Int, byteLimit: Int) {
    self.capacity = max(1, capacity)
    self.byteLimit = max(1, byteLimit)
  }

  mutating func add(_ entry: Entry) {
    guard entry.json.count <= byteLimit else {
      omittedCount += 1
      return
    }
    entries.append(entry)
    byteCount += entry.json.count
    while entries.count > capacity || byteCount > byteLimit {
      byteCount -= entries.removeFirst().json.count
      omittedCount += 1
    }
  }

  mutating func removeAll() {
    entries = []
    (byteCount, omittedCount) = (0, 0)
  }
}
