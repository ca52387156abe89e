public import HTTPTypes
import Synchronization

/// Stores responses in memory, limited by bytes, number and age, with eviction by S3-FIFO.
///
/// S3-FIFO keeps what is requested again and again, and resists scans. It is weak for loads that move on,
/// such as a feed whose entries are requested a few times while they are new, and never again: they are
/// evicted before their next request if they are more than a tenth of the limits. ``CacheAdvice`` says which
/// limits suit an app.
///
/// Operations on one response take constant time; removing by partition, service, API or tag takes time
/// linear in the number of responses.
public final class MemoryStore: ResponseStore {
  /// The limits of a store.
  public struct Limits: Sendable, Hashable {
    /// The maximum size of all responses, in bytes as counted by `StoredResponse.size`; 16 MiB.
    package var bytes: Int
    /// The maximum size of one response, in bytes; a tenth of `bytes` by default.
    package var responseBytes: Int
    /// The maximum number of responses; 4,096.
    package var responses: Int
    /// How long a response is kept after it became stale, for revalidation and for the mode `onlyStored`; 24
    /// h.
    package var staleFor: Duration

    /// Creates limits; negative values are treated as zero.
    ///
    /// - Parameters:
    ///   - bytes: The maximum size of all responses, in bytes as counted by `StoredResponse.size`; 16 MiB.
    ///   - responseBytes: The maximum size of one response, in bytes; a tenth of `bytes` by default.
    ///
    ///     A larger response is not stored.
    ///   - responses: The maximum number of responses; 4,096.
    ///   - staleFor: How long a response is kept after it became stale, for revalidation and for the mode
    ///     `onlyStored`; 24 h.
    public init(
      bytes: Int = 16 << 20, responseBytes: Int? = nil, responses: Int = 4_096,
      staleFor: Duration = .seconds(86_400)
    ) {
      self.bytes = max(0, bytes)
      self.responseBytes = max(0, min(responseBytes ?? bytes / 10, bytes))
      self.responses = max(0, responses)
      self.staleFor = max(.zero, staleFor)
    }
  }

  /// The maximum size of one response, in bytes.
  public let maximumResponseBytes: Int
  /// What caches with this store know about removals.
  let ledger = RemovalLedger()
  private let index: Mutex<CacheIndex>

  /// Creates an empty store.
  public init(limits: Limits = Limits()) {
    maximumResponseBytes = limits.responseBytes
    index = Mutex(CacheIndex(limits: limits))
  }

  /// The number of responses.
  package var count: Int { index.withLock { $0.count } }

  /// The size of all responses in bytes.
  public var bytes: Int { index.withLock { $0.bytes } }

  /// Returns the response stored for a key and these request header fields, whether fresh or stale.
  public func response(for key: CacheKey, requestFields: HTTPFields) async -> StoredResponse? {
    find(key, requestFields: requestFields).response
  }

  /// Looks a request up; a response that is found may be stale.
  public func lookup(_ key: CacheKey, requestFields: HTTPFields) async -> StoreLookup {
    find(key, requestFields: requestFields)
  }

  /// Does the same as ``lookup(_:requestFields:)`` without suspending.
  func find(_ key: CacheKey, requestFields: HTTPFields) -> StoreLookup {
    index.withLock { $0.lookup(key, requestFields: requestFields) }
  }

  /// Returns what is stored for a request, without counting as a use of the response.
  func knowledge(of key: CacheKey, requestFields: HTTPFields) -> StoredKnowledge {
    index.withLock { $0.knowledge(of: key, requestFields: requestFields) }
  }

  /// Stores a response in place of those for the same request; returns false if it is too large.
  ///
  /// Each call also examines the next four responses, and removes those that have been stale for too long.
  public func store(_ response: StoredResponse, requestFields: HTTPFields, at now: CacheInstant) async -> Bool
  {
    change { index in
      index.sweep(slots: 4, at: now)
      return index.store(response, requestFields: requestFields)
    }
  }

  /// Stores a response that another store had, without a sweep.
  func keep(_ response: StoredResponse, requestFields: HTTPFields) {
    _ = change { $0.store(response, requestFields: requestFields) }
  }

  /// Removes the selected responses, and returns their number.
  @discardableResult public func remove(_ selection: CacheSelection) async -> Int {
    change { $0.remove(selection) }
  }

  /// Removes every response that has been stale for too long, and returns their number.
  ///
  /// Storing does this gradually; call it when the app gets a memory warning.
  @discardableResult package func sweep(at now: CacheInstant) -> Int {
    change { $0.sweep(slots: .max, at: now) }
  }

  /// Changes the index, and releases what it has discarded after the lock, for which other requests wait.
  private func change<Result: Sendable>(_ work: (inout CacheIndex) -> Result) -> Result {
    let (result, discarded) = index.withLock { (work(&$0), $0.takeDiscarded()) }
    return withExtendedLifetime(discarded) { result }
  }
}

/// What a store has for a request whose header fields may still change.
enum StoredKnowledge {
  /// The response for exactly this request.
  case response(StoredResponse)
  /// Only responses for the same target with other credentials, another content, or other selecting fields.
  case others
  /// Nothing for the target.
  case nothing
}

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
      guard let response = slots[hand], response.remaining(at: now, staleFor: limits.staleFor) < .zero
      else { continue }
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
