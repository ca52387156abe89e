import HTTPTypes
import Interception
import RequestFlights
import Synchronization

/// A store with a removal log, which prevents storing responses that were cleared while in flight.
final class CacheStorage: Sendable {
  private let store: any ResponseStore
  /// The store if it is a `MemoryStore`, or its part in memory, which can be read without suspending.
  let memory: MemoryStore?
  /// Whether whatever is stored is in ``memory``.
  let isMemoryOnly: Bool
  private let log = Mutex(RemovalLog())
  /// The fetches that equal requests may join.
  let flights = FlightRegistry()
  private let uncollapsible = Mutex(UncollapsibleKeys())
  /// What is held of the responses that callers are reading.
  let collected: CollectionBudget
  private let refreshes = Mutex<[CacheKey: Task<Void, Never>]>([:])

  init(_ store: any ResponseStore) {
    self.store = store
    collected = CollectionBudget(maximumResponseBytes: store.maximumResponseBytes)
    isMemoryOnly = store is MemoryStore
    memory = store as? MemoryStore ?? (store as? LayeredStore)?.memory
  }

  /// The maximum size of one response.
  var maximumResponseBytes: Int { store.maximumResponseBytes }

  /// The mark to take before forwarding a request, and to pass to ``keep(_:requestFields:since:at:)``.
  var mark: UInt64 { log.withLock { $0.mark } }

  /// Whether a response with a key and tags was removed since a mark.
  func hasCleared(_ key: CacheKey, tags: Set<CacheRule.Tag>, since mark: UInt64) -> Bool {
    log.withLock { $0.hasCleared(key, tags: tags, since: mark) }
  }

  func response(for key: CacheKey, requestFields: HTTPFields) async -> StoredResponse? {
    await store.response(for: key, requestFields: requestFields)
  }

  /// Whether any response is stored for a key; called after a miss.
  func hasVariants(of key: CacheKey) async -> Bool { await store.hasVariants(of: key) }

  func keep(_ stored: StoredResponse, requestFields: HTTPFields, since mark: UInt64, at now: CacheInstant)
    async
    -> Bool
  {
    guard !log.withLock({ $0.hasCleared(stored.key, tags: stored.tags, since: mark) }) else { return false }
    let isKept = await store.store(stored, requestFields: requestFields, at: now)
    // Removals are logged before they are executed, so one side always sees the other.
    guard isKept, log.withLock({ $0.hasCleared(stored.key, tags: stored.tags, since: mark) }) else {
      return isKept
    }
    await store.remove(.key(stored.key))
    return false
  }

  @discardableResult func remove(_ selection: CacheSelection) async -> Int {
    log.withLock { $0.note(selection) }
    // A response requested before the removal may be what it was to remove.
    flights.closeFlights()
    return await store.remove(selection)
  }

  /// Whether the last response for a key could not be used for the requests that waited for it.
  func isCollapsingUseless(for key: CacheKey) -> Bool {
    uncollapsible.withLock { $0.contains(key.digest) }
  }

  func noteUselessCollapsing(for key: CacheKey) { uncollapsible.withLock { $0.insert(key.digest) } }

  func noteUsefulCollapsing(for key: CacheKey) { uncollapsible.withLock { $0.remove(key.digest) } }

  /// Runs work for a key in a task of its own, unless such a task is already running.
  ///
  /// Cancelling the caller doesn't cancel it.
  func refresh(_ key: CacheKey, by work: @escaping @Sendable () async -> Void) {
    refreshes.withLock { refreshes in
      guard refreshes[key] == nil else { return }
      refreshes[key] = Task {
        await work()
        self.refreshes.withLock { $0[key] = nil }
      }
    }
  }

  /// Waits for all such tasks.
  func refreshesEnded() async {
    while let task = refreshes.withLock({ $0.first?.value }) { await task.value }
  }
}
