extension RequestContext {
  /// The storage of a context.
  // Values are modified only by a context that holds the sole reference, so no other thread observes a
  // change.
  final class Values: @unchecked Sendable {
    struct Entry: Sendable {
      let key: ObjectIdentifier
      let lifetime: Lifetime
      var value: any Sendable
    }

    /// The values of every new context, so that creating one allocates nothing.
    ///
    /// They are never modified, because this constant holds a reference to them.
    static let empty = Values()

    // As with a request's parts, the compiler guarantees that accesses don't overlap.
    @exclusivity(unchecked) var entries: [Entry] = []
    @exclusivity(unchecked) var api: APIIdentity?
    @exclusivity(unchecked) var cacheRule = CacheRule.inherited
    @exclusivity(unchecked) var cacheTags: Set<CacheRule.Tag> = []
    @exclusivity(unchecked) var storageCheck: CacheRule.StorageCheck?
    @exclusivity(unchecked) var partition = ""
    @exclusivity(unchecked) var deadline: CallDeadline?
    @exclusivity(unchecked) var hasLeftOrigin = false
    @exclusivity(unchecked) var raceEntry: ConnectRace.Entry?

    private init() {}

    init(_ other: Values) {
      entries = other.entries
      api = other.api
      cacheRule = other.cacheRule
      cacheTags = other.cacheTags
      storageCheck = other.storageCheck
      partition = other.partition
      deadline = other.deadline
      hasLeftOrigin = other.hasLeftOrigin
      raceEntry = other.raceEntry
    }

    @inline(never)
    func value<Key: ContextKey>(of key: Key.Type) -> Key.Value {
      let wanted = ObjectIdentifier(key)
      for entry in entries where entry.key == wanted {
        if let value = entry.value as? Key.Value { return value }
      }
      return key.defaultValue
    }

    func set<Key: ContextKey>(_ key: Key.Type, to value: Key.Value) {
      let wanted = ObjectIdentifier(key)
      if let index = entries.firstIndex(where: { $0.key == wanted }) {
        entries[index].value = value
      } else {
        entries.append(Entry(key: wanted, lifetime: key.lifetime, value: value))
      }
    }
  }
}
