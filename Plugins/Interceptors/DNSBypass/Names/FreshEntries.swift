/// A limited number of values that are valid for a time.
struct FreshEntries<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// A value, and the end of the time for which it is valid.
  struct Entry: Sendable {
    let value: Value
    let freshUntil: Duration
  }

  private let limit: Int
  private var entries: [Key: Entry] = [:]

  /// - Parameter limit: The maximum number of values.
  init(limit: Int) { self.limit = limit }

  /// The number of values.
  var count: Int { entries.count }

  /// The value of a key, valid or not.
  subscript(key: Key) -> Entry? { entries[key] }

  /// Stores a value; if there are too many, those that are no longer valid are removed, or else the one that
  /// is valid for the shortest time.
  mutating func store(_ value: Value, for key: Key, until freshUntil: Duration, at now: Duration) {
    if entries.count >= limit, entries[key] == nil { makeRoom(at: now) }
    entries[key] = Entry(value: value, freshUntil: freshUntil)
  }

  mutating func removeAll() { entries = [:] }

  private mutating func makeRoom(at now: Duration) {
    entries = entries.filter { now < $0.value.freshUntil }
    if entries.count >= limit,
      let oldest = entries.min(by: { $0.value.freshUntil < $1.value.freshUntil })
    {
      entries[oldest.key] = nil
    }
  }
}
