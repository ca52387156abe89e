import HTTPTypes
import Interception
import RequestFlights
import Synchronization

/// The stores of a cache, with a ledger by which nothing that was removed meanwhile is stored or returned.
final class CacheStorage: Sendable {
  /// The responses in memory, which are looked up first and without suspending; nil if there are none.
  let memory: MemoryStore?
  /// The store below memory, usually on a disk; nil if whatever is stored is in memory.
  private let store: (any ResponseStore)?
  /// The maximum size of one response: the larger one of both stores'.
  let maximumResponseBytes: Int
  private let ledger: RemovalLedger
  /// The fetches that equal requests may join.
  let flights = FlightRegistry()
  private let uncollapsible = Mutex(UncollapsibleKeys())
  /// What is held of the responses that callers are reading.
  let collected: CollectionBudget
  private let refreshes = Mutex<[CacheKey: Refresh]>([:])

  /// Creates the storage of two stores, of one, or, if both are nil, of a new one in memory.
  init(memory: MemoryStore?, store: (any ResponseStore)?) {
    if let memory {
      (self.memory, self.store) = (memory, store)
    } else if let memory = store as? MemoryStore {
      (self.memory, self.store) = (memory, nil)
    } else {
      (self.memory, self.store) = (store == nil ? MemoryStore() : nil, store)
    }
    // Caches that share their memory share what they know about removals.
    ledger = self.memory?.ledger ?? RemovalLedger()
    let limits = [self.memory?.maximumResponseBytes, self.store?.maximumResponseBytes]
    maximumResponseBytes = limits.compactMap(\.self).max() ?? 0
    collected = CollectionBudget(maximumResponseBytes: maximumResponseBytes)
  }

  /// Whether whatever is stored is in ``memory``.
  var isMemoryOnly: Bool { store == nil }

  /// The mark to take before forwarding a request, and to pass to ``keep(_:requestFields:since:at:)``.
  var mark: UInt64 { ledger.mark }

  /// Whether a response with a key and tags was removed since a mark.
  func hasCleared(_ key: CacheKey, tags: Set<CacheRule.Tag>, since mark: UInt64) -> Bool {
    ledger.hasCleared(key, tags: tags, since: mark)
  }

  /// Looks a request up in one pass: once in memory and, only if nothing is found there, once below it.
  ///
  /// - Parameter isForRange: Whether the request has a `Range`: a large body may be left in the store.
  // Inlined, so that a hit in memory, which doesn't suspend, costs no asynchronous call either.
  @inline(__always)
  func lookup(_ key: CacheKey, requestFields: HTTPFields, isForRange: Bool = false) async -> StoreLookup {
    let inMemory = memory?.find(key, requestFields: requestFields) ?? .nothing
    guard let store, inMemory.response == nil else { return inMemory }
    return await lookupBelow(key, requestFields, in: store, inMemory: inMemory, isForRange)
  }

  /// Looks a request up below memory, and copies what is found into memory, unless its body is outlying.
  ///
  /// What was removed or replaced while the store was read is looked up again.
  private func lookupBelow(
    _ key: CacheKey, _ requestFields: HTTPFields, in store: any ResponseStore, inMemory: StoreLookup,
    _ isForRange: Bool
  ) async -> StoreLookup {
    let mark = ledger.readMark
    let below =
      if isForRange, let store = store as? any RangeReadingStore {
        await store.lookupForRange(key, requestFields: requestFields)
      } else {
        await store.lookup(key, requestFields: requestFields)
      }
    guard case .found(let stored) = below else {
      // A sensitive variant is in memory only.
      return if case .nothing = below { inMemory } else { below }
    }
    let isCurrent = ledger.isCurrent(stored, since: mark) {
      if stored.outlyingBody == nil { memory?.keep(stored, requestFields: requestFields) }
    }
    return isCurrent ? below : await lookup(key, requestFields: requestFields, isForRange: isForRange)
  }

  func keep(_ stored: StoredResponse, requestFields: HTTPFields, since mark: UInt64, at now: CacheInstant)
    async
    -> Bool
  {
    guard let pending = ledger.begin(stored, since: mark) else { return false }
    defer { ledger.end(pending) }
    var isKept = await memory?.store(stored, requestFields: requestFields, at: now) ?? false
    if let store {
      if await store.store(stored, requestFields: requestFields, at: now) { isKept = true }
      // What was read before is not copied from here on, but may have replaced this one meanwhile.
      ledger.noteExecuted(.key(stored.key))
      if let memory,
        case .response(let other) = memory.knowledge(of: stored.key, requestFields: requestFields),
        other !== stored, !stored.isOlder(than: other)
      {
        await memory.remove(.key(stored.key))
      }
    }
    // Removals are noted before they are executed, so one side always sees the other.
    guard isKept, hasCleared(stored.key, tags: stored.tags, since: mark) else { return isKept }
    await execute(.key(stored.key))
    return false
  }

  /// Removes what the app or a write invalidates, and returns the number of responses.
  ///
  /// A response requested before the removal may be what it was to remove, so no further request joins one,
  /// here or at another interceptor of the pipeline.
  @discardableResult func remove(_ selection: CacheSelection) async -> Int {
    let concerned = ledger.note(selection)
    flights.closeFlights()
    return await remove(selection, awaiting: concerned)
  }

  /// Removes the stored responses for a key that a response supersedes which is not stored.
  func discard(_ key: CacheKey) async {
    let concerned = ledger.note(.key(key))
    flights.closeOwnFlights()
    await remove(.key(key), awaiting: concerned)
  }

  @discardableResult
  private func remove(_ selection: CacheSelection, awaiting concerned: [PendingResponse]) async -> Int {
    let count = await execute(selection)
    // One that was being stored can be looked up until it has been removed, too.
    for pending in concerned { await pending.ended() }
    return count
  }

  /// Removes the selected responses from both stores, and returns the larger one of both numbers.
  @discardableResult private func execute(_ selection: CacheSelection) async -> Int {
    let inMemory = await memory?.remove(selection) ?? 0
    guard let store else { return inMemory }
    let below = await store.remove(selection)
    ledger.noteExecuted(selection)
    // What was read before is not copied from here on, but may have been copied meanwhile.
    await memory?.remove(selection)
    return max(inMemory, below)
  }

  /// Removes a stored response that the next one of the same request replaces; returns the next one's mark.
  ///
  /// - Parameter written: What a write invalidates, which includes the key; nil for the response to a read,
  ///   which replaces the variants of the key alone.
  func replace(
    _ key: CacheKey, tags: Set<CacheRule.Tag>, since mark: UInt64, writing written: CacheSelection? = nil
  ) async -> UInt64 {
    let selection = written ?? .key(key)
    let (next, concerned) = ledger.noteReplacement(of: key, tags: tags, since: mark, removing: selection)
    if written == nil { flights.closeOwnFlights() } else { flights.closeFlights() }
    await remove(selection, awaiting: concerned)
    return next
  }

  /// Whether the last response for a key could not be used for the requests that waited for it.
  func isCollapsingUseless(for key: CacheKey) -> Bool {
    uncollapsible.withLock { $0.contains(key.digest) }
  }

  func noteUselessCollapsing(for key: CacheKey) { uncollapsible.withLock { $0.insert(key.digest) } }

  func noteUsefulCollapsing(for key: CacheKey) { uncollapsible.withLock { $0.remove(key.digest) } }

  /// Runs work for a key in a task of its own, unless such a task is already running.
  ///
  /// Cancelling the caller doesn't cancel it. One whose response won't be stored, because that of its request
  /// was removed meanwhile, doesn't prevent another one.
  ///
  /// - Parameter mark: The mark of the removals before the request.
  func refresh(
    _ key: CacheKey, tags: Set<CacheRule.Tag>, since mark: UInt64,
    by work: @escaping @Sendable () async -> Void
  ) {
    refreshes.withLock { refreshes in
      if let running = refreshes[key], !hasCleared(key, tags: tags, since: running.mark) { return }
      let task = Task {
        await work()
        self.refreshes.withLock { refreshes in
          if refreshes[key]?.mark == mark { refreshes[key] = nil }
        }
      }
      refreshes[key] = Refresh(mark: mark, task: task)
    }
  }

  /// Waits for all such tasks.
  func refreshesEnded() async {
    while let refresh = refreshes.withLock({ $0.first?.value }) { await refresh.task.value }
  }

  /// A response that is being refreshed in the background.
  private struct Refresh {
    /// The mark of the removals before its request.
    let mark: UInt64
    let task: Task<Void, Never>
  }
}

/// The keys whose last responses could not be used for requests that waited for them.
///
/// To wait for such a response again would only delay the request. A table of fixed size: a key takes the
/// place of another one whose digest has the same remainder, which costs that one a wait.
struct UncollapsibleKeys {
  private static let size = 256

  // A digest of zero is treated as that of no key.
  private var digests: [UInt64] = []

  func contains(_ digest: UInt64) -> Bool {
    !digests.isEmpty && digest != 0 && digests[Self.index(of: digest)] == digest
  }

  mutating func insert(_ digest: UInt64) {
    if digests.isEmpty { digests = Array(repeating: 0, count: Self.size) }
    digests[Self.index(of: digest)] = digest
  }

  mutating func remove(_ digest: UInt64) {
    if contains(digest) { digests[Self.index(of: digest)] = 0 }
  }

  private static func index(of digest: UInt64) -> Int { Int(digest % UInt64(size)) }
}
