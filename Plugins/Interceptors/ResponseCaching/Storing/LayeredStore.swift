public import HTTPTypes
import Interception
import Synchronization

/// A memory store over a slower one, usually on a disk.
///
/// A response is stored in both, a sensitive one in memory only: see `CacheRule.inMemoryOnly()`. A hit in
/// memory doesn't wait for the slower store, and a hit there is copied into memory. A removal
/// removes from both before it returns.
///
/// ```swift
/// let cache = CachingInterceptor(store: LayeredStore(memory: MemoryStore(), disk: disk))
/// ```
public final class LayeredStore: ResponseStore, RangeReadingStore {
  /// The store that is asked first.
  public let memory: MemoryStore
  /// The store that is asked if nothing is in memory.
  public let disk: any ResponseStore
  // What was removed or replaced while the disk was read must not be copied into memory.
  private let log = Mutex(RemovalLog())

  /// Creates a store of two.
  public init(memory: MemoryStore, disk: any ResponseStore) {
    self.memory = memory
    self.disk = disk
  }

  /// The larger one of both maximum sizes of one response, in bytes.
  public var maximumResponseBytes: Int { max(memory.maximumResponseBytes, disk.maximumResponseBytes) }

  /// Returns the response stored for a key and these request header fields, whether fresh or stale.
  public func response(for key: CacheKey, requestFields: HTTPFields) async -> StoredResponse? {
    await lookup(key, requestFields: requestFields).response
  }

  /// Looks a request up in memory, and on the disk only if nothing is found there.
  public func lookup(_ key: CacheKey, requestFields: HTTPFields) async -> StoreLookup {
    let inMemory = memory.find(key, requestFields: requestFields)
    if case .found = inMemory { return inMemory }
    return await lookupOnDisk(key, requestFields: requestFields, inMemory: inMemory)
  }

  /// Looks a request with a `Range` up in memory, and on the disk only if nothing is found there.
  package func lookupForRange(_ key: CacheKey, requestFields: HTTPFields) async -> StoreLookup {
    let inMemory = memory.find(key, requestFields: requestFields)
    if case .found = inMemory { return inMemory }
    return await lookupOnDisk(key, requestFields: requestFields, inMemory: inMemory, isForRange: true)
  }

  /// Looks a request up on the disk, and copies what is found into memory, unless its body is outlying.
  ///
  /// - Parameter inMemory: The result of the lookup in memory, which found nothing.
  func lookupOnDisk(
    _ key: CacheKey, requestFields: HTTPFields, inMemory: StoreLookup, isForRange: Bool = false
  ) async -> StoreLookup {
    let mark = log.withLock { $0.mark }
    let onDisk =
      if isForRange, let disk = disk as? any RangeReadingStore {
        await disk.lookupForRange(key, requestFields: requestFields)
      } else {
        await disk.lookup(key, requestFields: requestFields)
      }
    guard case .found(let stored) = onDisk else {
      // A sensitive variant is in memory only.
      return if case .nothing = onDisk { inMemory } else { onDisk }
    }
    guard stored.outlyingBody == nil else { return onDisk }
    // In one step with the comparison: replacements and removals are logged before they are executed, so what
    // one of them concerns is either not copied or removed by it.
    log.withLock { log in
      guard !log.hasCleared(stored.key, tags: stored.tags, since: mark) else { return }
      memory.keep(stored, requestFields: requestFields)
    }
    return onDisk
  }

  /// Stores a response in both; returns false if both decline.
  public func store(_ response: StoredResponse, requestFields: HTTPFields, at now: CacheInstant) async -> Bool
  {
    note(.key(response.key))
    let isInMemory = await memory.store(response, requestFields: requestFields, at: now)
    let isOnDisk = await disk.store(response, requestFields: requestFields, at: now)
    // A reader that began after the first note may have copied what the disk had before.
    note(.key(response.key))
    if case .response(let kept) = memory.knowledge(of: response.key, requestFields: requestFields),
      kept !== response, !response.isOlder(than: kept)
    {
      await memory.remove(.key(response.key))
    }
    return isInMemory || isOnDisk
  }

  /// Removes the selected responses from both, and returns the larger one of both numbers.
  @discardableResult public func remove(_ selection: CacheSelection) async -> Int {
    note(selection)
    let inMemory = await memory.remove(selection)
    let onDisk = await disk.remove(selection)
    // A reader that began after the first note may have copied what the disk still had.
    note(selection)
    await memory.remove(selection)
    return max(inMemory, onDisk)
  }

  private func note(_ selection: CacheSelection) { log.withLock { $0.note(selection) } }
}
