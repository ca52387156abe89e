import HTTPTypes

/// The state of the memory store as a pure value: responses by key and by target, within limits.
struct CacheIndex {
  /// The maximum number of variants per key, beyond which the oldest is removed; more are a server's mistake.
  static let variantLimit = 8

  private let limits: MemoryStore.Limits
  private var queue: EvictionQueue
  private var slots: [StoredResponse?] = []
  private var idsByKey: [CacheKey: [Int]] = [:]
  private var idsByTarget: [Target: Set<Int>] = [:]
  private var hand = 0
  /// The responses that were removed or replaced since they were last taken.
  private var discarded: [StoredResponse] = []

  init(limits: MemoryStore.Limits) {
    self.limits = limits
    queue = EvictionQueue(capacity: limits.bytes, countLimit: limits.responses)
  }

  var count: Int { queue.count }
  var bytes: Int { queue.size }

  mutating func lookup(_ key: CacheKey, requestFields: HTTPFields) -> StoreLookup {
    guard let ids = idsByKey[key] else { return .nothing }
    guard let (id, stored) = match(among: ids, requestFields) else { return .otherVariants }
    queue.touch(id)
    return .found(stored)
  }

  /// Returns the most recent response that matches (RFC 9111, section 4).
  private func match(among ids: [Int], _ requestFields: HTTPFields) -> (id: Int, stored: StoredResponse)? {
    var match: (id: Int, stored: StoredResponse)?
    for id in ids {
      guard let stored = slots[id], stored.selector.matches(requestFields) else { continue }
      if let former = match, stored.isOlder(than: former.stored) { continue }
      match = (id, stored)
    }
    return match
  }

  /// Returns what is stored for a key and these request header fields; the eviction order is unchanged.
  func knowledge(of key: CacheKey, requestFields: HTTPFields) -> StoredKnowledge {
    if let (_, stored) = match(among: idsByKey[key] ?? [], requestFields) { return .response(stored) }
    let ids = idsByTarget[Target(key)] ?? []
    return ids.contains { slots[$0]?.key.subject == key.subject } ? .others : .nothing
  }

  mutating func store(_ response: StoredResponse, requestFields: HTTPFields) -> Bool {
    let ids = idsByKey[response.key] ?? []
    let replaced = ids.filter { slots[$0]?.selector.matches(requestFields) ?? false }
    // One that arrived late is no reason to remove the newer one.
    guard !replaced.contains(where: { slots[$0].map(response.isOlder) ?? false }) else { return false }
    let fits = response.size <= limits.responseBytes && limits.responses > 0
    // A refreshed response keeps its position and its visits.
    let kept = fits ? replaced.first : nil
    for id in replaced where id != kept { drop(id) }
    guard fits else { return false }
    if let kept {
      if let former = slots[kept] { discarded.append(former) }
      slots[kept] = response
      for id in queue.resize(kept, to: response.size) { forget(id) }
      return slots[kept] != nil
    }
    // None of the variants was replaced.
    if ids.count >= Self.variantLimit { drop(ids[0]) }
    let fingerprint = response.key.digest ^ response.selector.fingerprint
    let (id, evicted) = queue.insert(fingerprint: fingerprint, size: response.size)
    for id in evicted { forget(id) }
    while slots.count <= id { slots.append(nil) }
    slots[id] = response
    idsByKey[response.key, default: []].append(id)
    idsByTarget[Target(response.key), default: []].insert(id)
    return true
  }

  mutating func remove(_ selection: CacheSelection) -> Int {
    let candidates: [Int] =
      if case .key(let key) = selection.kind {
        idsByKey[key] ?? []
      } else if let target = selection.target {
        Array(idsByTarget[Target(bytes: target)] ?? [])
      } else {
        Array(slots.indices)
      }
    let removed = candidates.filter { id in
      slots[id].map { selection.contains($0.key, tags: $0.tags) } ?? false
    }
    for id in removed { drop(id) }
    return removed.count
  }

  /// Examines the given number of slots in rotation, and removes responses that have been stale for too long.
  @discardableResult
  mutating func sweep(slots limit: Int, at now: CacheInstant) -> Int {
    var removed = 0
    for _ in 0..<min(limit, slots.count) {
      hand = hand + 1 < slots.count ? hand + 1 : 0
      guard let freshness = slots[hand]?.freshness else { continue }
      let remaining = freshness.remaining(at: now, limit: freshness.lifetime)
      // A response from the future, after the clock was set back, is stale, but is kept for revalidation.
      guard let remaining, remaining < .zero - limits.staleFor else { continue }
      drop(hand)
      removed += 1
    }
    return removed
  }

  /// Returns the responses that were removed or replaced since the last call, for the caller to release when
  /// it no longer holds its lock.
  mutating func takeDiscarded() -> [StoredResponse] {
    defer { discarded = [] }
    return discarded
  }

  /// Removes a response from the queue and the tables.
  private mutating func drop(_ id: Int) {
    queue.remove(id)
    forget(id)
  }

  /// Removes a response that the queue evicted from the tables.
  private mutating func forget(_ id: Int) {
    guard let stored = slots[id] else { return }
    slots[id] = nil
    discarded.append(stored)
    if let index = idsByKey.index(forKey: stored.key) {
      idsByKey.values[index].removeAll { $0 == id }
      if idsByKey.values[index].isEmpty { idsByKey.remove(at: index) }
    }
    if let index = idsByTarget.index(forKey: Target(stored.key)) {
      idsByTarget.values[index].remove(id)
      if idsByTarget.values[index].isEmpty { idsByTarget.remove(at: index) }
    }
  }

  /// The bytes of a target, hashed together instead of one by one as those of an array.
  private struct Target: Hashable {
    let bytes: ArraySlice<UInt8>

    init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    init(_ key: CacheKey) { bytes = key.subject.target }

    func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
  }
}
