import Interception

/// Records recent removals, so that a response requested before a removal is not stored after it.
///
/// Without it a response in flight while its account was wiped would be stored for the next account.
struct RemovalLog {
  private static let capacity = 64

  /// The number of removals so far, to compare with later.
  private(set) var mark: UInt64 = 0
  private var recent: [CacheSelection] = []
  private var oldest = 0

  mutating func note(_ selection: CacheSelection) {
    mark += 1
    if recent.count < Self.capacity {
      recent.append(selection)
    } else {
      recent[oldest] = selection
      oldest = (oldest + 1) % Self.capacity
    }
  }

  /// Whether a response with a key and tags was removed since a mark; also true if the mark is too old to
  /// tell.
  func hasCleared(_ key: CacheKey, tags: Set<CacheRule.Tag>, since former: UInt64) -> Bool {
    guard mark != former else { return false }
    let missed = mark - former
    guard missed <= UInt64(recent.count) else { return true }
    return (0..<Int(missed)).contains { back in
      recent[(oldest + recent.count - 1 - back) % recent.count].contains(key, tags: tags)
    }
  }
}
