import Interception

/// Records recent removals, so that a response requested before a removal is not stored after it.
///
/// Without it a response in flight while its account was wiped would be stored for the next account. The
/// log has the number of the latest removal of each thing, such as an account, a tag or a target, so that
/// removals of other things don't count against a response. Beyond ``capacity`` the older half is forgotten.
struct RemovalLog {
  /// The maximum number of things whose removal is remembered.
  static let capacity = 16_384

  /// The number of removals so far, to compare with later.
  private(set) var mark: UInt64 = 0
  /// The number of the latest removal of each thing, by its hash.
  private var latest: [Int: UInt64] = [:]
  /// The number of the latest removal that was forgotten.
  private var forgotten: UInt64 = 0

  /// The number of things whose removal is remembered.
  var count: Int { latest.count }

  mutating func note(_ selection: CacheSelection) {
    mark += 1
    if case .tags(let tags) = selection.kind {
      for tag in tags { record(.tags([tag])) }
    } else {
      record(selection.kind)
    }
  }

  /// Whether a response with a key and tags was removed since a mark; also true if the mark is too old to
  /// tell.
  func hasCleared(_ key: CacheKey, tags: Set<CacheRule.Tag>, since former: UInt64) -> Bool {
    guard mark != former else { return false }
    guard forgotten <= former else { return true }
    let subject = key.subject
    if hasRemoved(.all, since: former) || hasRemoved(.target(subject.target), since: former)
      || hasRemoved(.key(key), since: former) || hasRemoved(.subject(subject), since: former)
      || hasRemoved(.partition(subject.partition), since: former)
    {
      return true
    }
    if let api = subject.api,
      hasRemoved(.api(api), since: former) || hasRemoved(.service(api.service), since: former)
    {
      return true
    }
    return tags.contains { hasRemoved(.tags([$0]), since: former) }
  }

  private func hasRemoved(_ kind: CacheSelection.Kind, since former: UInt64) -> Bool {
    latest[kind.hashValue].map { $0 > former } ?? false
  }

  private mutating func record(_ kind: CacheSelection.Kind) {
    // The hash alone takes little memory; two things with the same one cost a miss.
    latest[kind.hashValue] = mark
    guard latest.count > Self.capacity else { return }
    let marks = latest.values.sorted()
    let limit = marks[marks.count / 2]
    latest = latest.filter { $0.value > limit }
    forgotten = limit
  }
}
