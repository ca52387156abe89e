#if SQLite
/// Changes that aren't in the file, at most one for each value and item, in order.
struct StagedChanges: Sendable {
  /// What a value or an item is to be.
  struct Change: Sendable {
    /// The new content; nil removes it.
    var content: Content?
    let writeTime: LocalWriteTime
    /// The size of its record in the file; 0 if there is none.
    let formerBytes: Int
    /// Whether that record may be evicted.
    let isEvictable: Bool
    /// The place among the changes.
    fileprivate(set) var number = 0
  }

  /// A new content.
  struct Content: Sendable {
    let json: [UInt8]
    let entries: [LocalIndexEntry]
    /// The size of the record.
    let bytes: Int
  }

  private(set) var changes: [LocalAddress: Change] = [:]
  /// The number of bytes of all new contents.
  private(set) var bytes = 0
  private var lastNumber = 0

  var isEmpty: Bool { changes.isEmpty }
  var count: Int { changes.count }

  /// The bytes by which the file's content grows with the changes.
  var growth: Int { changes.values.reduce(0) { $0 + ($1.content?.bytes ?? 0) - $1.formerBytes } }

  /// The bytes of the records that the changes replace, and that could be evicted otherwise.
  var replacedEvictableBytes: Int {
    changes.values.reduce(0) { $0 + ($1.isEvictable ? $1.formerBytes : 0) }
  }

  /// The bytes by which the records that may be evicted grow with the changes.
  var evictableGrowth: Int {
    changes.values.reduce(0) { $0 + ($1.isEvictable ? ($1.content?.bytes ?? 0) - $1.formerBytes : 0) }
  }

  var inOrder: [(address: LocalAddress, change: Change)] {
    changes.map { ($0.key, $0.value) }.sorted { $0.1.number < $1.1.number }
  }

  /// Whether one of the changes can't wait.
  var isUrgent: Bool { changes.values.contains { $0.writeTime == .now } }

  mutating func set(_ change: Change, at address: LocalAddress) {
    var change = change
    let former = changes[address]
    bytes += (change.content?.bytes ?? 0) - (former?.content?.bytes ?? 0)
    if let former, former.content != nil, change.content != nil {
      change.number = former.number
    } else {
      lastNumber += 1
      change.number = lastNumber
    }
    changes[address] = change
  }

  /// Adds later changes.
  mutating func add(_ others: StagedChanges) {
    for (address, change) in others.inOrder { set(change, at: address) }
  }

  /// Removes the changes that others replace.
  mutating func remove(replacedBy others: StagedChanges) {
    for address in others.changes.keys {
      bytes -= changes.removeValue(forKey: address)?.content?.bytes ?? 0
    }
  }
}
#endif
