/// Which partitions were removed, and when: a response to a request that left before sets no cookies there.
///
/// Without it, a response that arrives after a logout would bring the former session back. A value without
/// I/O. Times are numbers of removals.
struct CookieRemovals: Sendable {
  /// The maximum number of partitions whose removal is remembered; beyond that the older half is forgotten.
  static let capacity = 256

  /// The number of removals so far.
  private(set) var mark: UInt64 = 0
  /// The latest removal of each partition.
  private var latest: [String: UInt64] = [:]
  /// The latest removal of all partitions, or of one that was forgotten.
  private var latestOfAll: UInt64 = 0

  /// The number of partitions.
  var count: Int { latest.count }

  /// Records the removal of a partition's cookies.
  mutating func note(_ partition: String) {
    mark += 1
    latest[partition] = mark
    guard latest.count > Self.capacity else { return }
    let marks = latest.values.sorted()
    let limit = marks[marks.count / 2]
    latest = latest.filter { $0.value > limit }
    // A request that left before it loses its cookies, whatever its partition.
    latestOfAll = max(latestOfAll, limit)
  }

  /// Records the removal of all cookies.
  mutating func noteAll() {
    mark += 1
    (latest, latestOfAll) = ([:], mark)
  }

  /// Whether a partition's cookies may have been removed after a time.
  func contain(_ partition: String, since former: UInt64) -> Bool {
    latestOfAll > former || latest[partition].map { $0 > former } ?? false
  }
}
