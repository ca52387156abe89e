import HTTPTypes
import Interception
import RequestFlights
import Synchronization

/// A store with a removal log, which prevents storing responses that were cleared while in flight.
final class CacheStorage: Sendable {
  private let store: any ResponseStore
  private let layers: LayeredStore?
  /// The store if it is a `MemoryStore`, or its part in memory, which can be read without suspending.
  let memory: MemoryStore?
  /// Whether whatever is stored is in ``memory``.
  let isMemoryOnly: Bool
  fileprivate struct Changes {
    var log = RemovalLog()
    /// The responses that are being stored.
    var pending: [ObjectIdentifier: PendingResponse] = [:]
  }

  private let changes = Mutex(Changes())
  /// The fetches that equal requests may join.
  let flights = FlightRegistry()
  private let uncollapsible = Mutex(UncollapsibleKeys())
  /// What is held of the responses that callers are reading.
  let collected: CollectionBudget
  private let refreshes = Mutex<[CacheKey: Refresh]>([:])

  init(_ store: any ResponseStore) {
    self.store = store
    collected = CollectionBudget(maximumResponseBytes: store.maximumResponseBytes)
    isMemoryOnly = store is MemoryStore
    layers = store as? LayeredStore
    memory = store as? MemoryStore ?? layers?.memory
  }

  /// The maximum size of one response.
  var maximumResponseBytes: Int { store.maximumResponseBytes }

  /// The mark to take before forwarding a request, and to pass to ``keep(_:requestFields:since:at:)``.
  var mark: UInt64 { changes.withLock { $0.log.mark } }

  /// Whether a response with a key and tags was removed since a mark.
  func hasCleared(_ key: CacheKey, tags: Set<CacheRule.Tag>, since mark: UInt64) -> Bool {
    changes.withLock { $0.log.hasCleared(key, tags: tags, since: mark) }
  }

  /// Looks a request up in one pass: once in memory and, only if nothing is found there, once on the disk.
  // Inlined, so that a hit in memory, which doesn't suspend, costs no asynchronous call either.
  @inline(__always)
  func lookup(_ key: CacheKey, requestFields: HTTPFields) async -> StoreLookup {
    guard let memory else { return await store.lookup(key, requestFields: requestFields) }
    let inMemory = memory.find(key, requestFields: requestFields)
    guard let layers, inMemory.response == nil else { return inMemory }
    return await layers.lookupOnDisk(key, requestFields: requestFields, inMemory: inMemory)
  }

  /// Looks a request with a `Range` up; a large body may be left in the store.
  func lookupForRange(_ key: CacheKey, requestFields: HTTPFields) async -> StoreLookup {
    guard let store = store as? any RangeReadingStore else {
      return await lookup(key, requestFields: requestFields)
    }
    return await store.lookupForRange(key, requestFields: requestFields)
  }

  func keep(_ stored: StoredResponse, requestFields: HTTPFields, since mark: UInt64, at now: CacheInstant)
    async
    -> Bool
  {
    let pending = PendingResponse(key: stored.key, tags: stored.tags, mark: mark)
    guard changes.withLock({ $0.begin(pending) }) else { return false }
    defer {
      changes.withLock { $0.pending[ObjectIdentifier(pending)] = nil }
      pending.end()
    }
    let isKept = await store.store(stored, requestFields: requestFields, at: now)
    // Removals are logged before they are executed, so one side always sees the other.
    guard isKept, hasCleared(stored.key, tags: stored.tags, since: mark) else { return isKept }
    await store.remove(.key(stored.key))
    return false
  }

  /// Removes what the app or a write invalidates, and returns the number of responses.
  ///
  /// A response requested before the removal may be what it was to remove, so no further request joins one,
  /// here or at another interceptor of the pipeline.
  @discardableResult func remove(_ selection: CacheSelection) async -> Int {
    let concerned = changes.withLock { $0.note(selection) }
    flights.closeFlights()
    return await remove(selection, awaiting: concerned)
  }

  /// Removes the stored responses for a key that a response supersedes which is not stored.
  func discard(_ key: CacheKey) async {
    let concerned = changes.withLock { $0.note(.key(key)) }
    flights.closeOwnFlights()
    await remove(.key(key), awaiting: concerned)
  }

  @discardableResult
  private func remove(_ selection: CacheSelection, awaiting concerned: [PendingResponse]) async -> Int {
    let count = await store.remove(selection)
    // One that was being stored can be looked up until it has been removed, too.
    for pending in concerned { await pending.ended() }
    return count
  }

  /// Removes a stored response that the next one of the same request replaces; returns the next one's mark.
  ///
  /// - Parameter written: What a write invalidates, which includes the key; nil for the response to a read,
  ///   which replaces the variants of the key alone.
  func replace(
    _ key: CacheKey, tags: Set<CacheRule.Tag>, since mark: UInt64, writing written: CacheSelection? = nil
  ) async -> UInt64 {
    let selection = written ?? .key(key)
    let (next, concerned) = changes.withLock { changes in
      let next = changes.log.noteReplacement(of: key, tags: tags, since: mark, removing: selection)
      return (next, changes.concerned)
    }
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

/// A response that is being stored, and removed again if a removal concerns it.
private final class PendingResponse: Sendable {
  let key: CacheKey
  let tags: Set<CacheRule.Tag>
  let mark: UInt64
  private let waiting = Mutex<[CheckedContinuation<Void, Never>]?>([])

  init(key: CacheKey, tags: Set<CacheRule.Tag>, mark: UInt64) {
    (self.key, self.tags, self.mark) = (key, tags, mark)
  }

  /// Resumes those that wait.
  func end() {
    let waiting = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting ?? []
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until the response is stored or removed.
  func ended() async {
    await withCheckedContinuation { continuation in
      let isOver = waiting.withLock { waiting in
        waiting?.append(continuation)
        return waiting == nil
      }
      if isOver { continuation.resume() }
    }
  }
}

extension CacheStorage.Changes {
  /// Begins to store a response; false if it was removed since its mark.
  fileprivate mutating func begin(_ response: PendingResponse) -> Bool {
    guard !log.hasCleared(response.key, tags: response.tags, since: response.mark) else { return false }
    pending[ObjectIdentifier(response)] = response
    return true
  }

  /// Records a removal, and returns the responses being stored that it may concern.
  fileprivate mutating func note(_ selection: CacheSelection) -> [PendingResponse] {
    log.note(selection)
    return concerned
  }

  /// The responses being stored that a removal concerns.
  fileprivate var concerned: [PendingResponse] {
    pending.values.filter { log.hasCleared($0.key, tags: $0.tags, since: $0.mark) }
  }
}

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

  /// Records the removal of a response that the next one of the same request replaces.
  ///
  /// In one step with the comparison, so that no removal in between is taken for this one.
  ///
  /// - Parameters:
  ///   - former: The mark of the request.
  ///   - selection: What is removed, which includes the key.
  /// - Returns: The mark of the next response, which this removal doesn't concern: the present one, or
  ///   `former` if the key was cleared since, so that the next response is not stored either.
  mutating func noteReplacement(
    of key: CacheKey, tags: Set<CacheRule.Tag>, since former: UInt64,
    removing selection: CacheSelection? = nil
  ) -> UInt64 {
    let isCleared = hasCleared(key, tags: tags, since: former)
    note(selection ?? .key(key))
    return isCleared ? former : mark
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
