import HTTPTypes
import Interception
import Synchronization

/// A store with a removal log, which prevents storing responses that were cleared while in flight.
final class CacheStorage: Sendable {
  private let store: any ResponseStore
  /// The store if it is a `MemoryStore`, which can be read without suspending.
  let memory: MemoryStore?
  private let log = Mutex(RemovalLog())
  private let refreshes = Mutex<[CacheKey: Task<Void, Never>]>([:])

  init(_ store: any ResponseStore) {
    self.store = store
    memory = store as? MemoryStore
  }

  /// The mark to take before forwarding a request, and to pass to ``keep(_:requestFields:since:at:)``.
  var mark: UInt64 { log.withLock { $0.mark } }

  func response(for key: CacheKey, requestFields: HTTPFields) async -> StoredResponse? {
    await store.response(for: key, requestFields: requestFields)
  }

  func keep(_ stored: StoredResponse, requestFields: HTTPFields, since mark: UInt64, at now: CacheInstant)
    async
    -> Bool
  {
    guard !log.withLock({ $0.hasCleared(stored.key, since: mark) }) else { return false }
    let isKept = await store.store(stored, requestFields: requestFields, at: now)
    // Removals are logged before they are executed, so one side always sees the other.
    guard isKept, log.withLock({ $0.hasCleared(stored.key, since: mark) }) else { return isKept }
    await store.remove(.key(stored.key))
    return false
  }

  @discardableResult func remove(_ selection: CacheSelection) async -> Int {
    log.withLock { $0.note(selection) }
    return await store.remove(selection)
  }

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
