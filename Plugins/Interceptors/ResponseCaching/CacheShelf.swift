import HTTPTypes
import Interception
import Synchronization

/// A store, and the log that keeps answers out of it that were cleared while they were on their way.
final class CacheShelf: Sendable {
  private let store: any ResponseStore
  /// The store, where it is the usual one, which can be asked without waiting.
  let memory: MemoryStore?
  private let log = Mutex(RemovalLog())
  private let refreshes = Mutex<[CacheKey: Task<Void, Never>]>([:])

  init(_ store: any ResponseStore) {
    self.store = store
    memory = store as? MemoryStore
  }

  /// The mark to take before the server is asked, and to hand to ``keep(_:requestFields:since:at:)``.
  var mark: UInt64 { log.withLock { $0.mark } }

  func response(for key: CacheKey, requestFields: HTTPFields) async -> StoredResponse? {
    await store.response(for: key, requestFields: requestFields)
  }

  func keep(_ stored: StoredResponse, requestFields: HTTPFields, since mark: UInt64, at now: CacheMoment)
    async
    -> Bool
  {
    guard !log.withLock({ $0.hasCleared(stored.key, since: mark) }) else { return false }
    let isKept = await store.store(stored, requestFields: requestFields, at: now)
    // Whoever clears notes it first and removes then, so that one of the two sees the other.
    guard isKept, log.withLock({ $0.hasCleared(stored.key, since: mark) }) else { return isKept }
    await store.remove(.key(stored.key))
    return false
  }

  @discardableResult func remove(_ selection: CacheSelection) async -> Int {
    log.withLock { $0.note(selection) }
    return await store.remove(selection)
  }

  /// Does work for a key in a task of its own, which outlives the caller's, unless such work is being done
  /// already.
  func refresh(_ key: CacheKey, by work: @escaping @Sendable () async -> Void) {
    refreshes.withLock { refreshes in
      guard refreshes[key] == nil else { return }
      refreshes[key] = Task {
        await work()
        self.refreshes.withLock { $0[key] = nil }
      }
    }
  }

  /// Returns once all such work has ended.
  func refreshesEnded() async {
    while let task = refreshes.withLock({ $0.first?.value }) { await task.value }
  }
}
