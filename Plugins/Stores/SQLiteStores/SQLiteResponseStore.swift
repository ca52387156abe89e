#if SQLite
import DurableQueues
public import HTTPTypes
public import Interception
public import ResponseCaching
import Synchronization

/// Stores responses in a directory, so that they survive the end of the process, limited by bytes, number and
/// age, with eviction by S3-FIFO.
///
/// Heads and bodies up to 64 KiB are in an SQLite database, larger bodies in files beside it. Each response
/// has a SHA-256, which is verified at each read: damage of the disk costs a miss, but never changes a
/// response. Put a memory store over it, so that frequent hits don't wait for the disk:
///
/// ```swift
/// let disk = SQLiteResponseStore(directory: "/var/cache/estate/responses") { fault in
///   print("cache: \(fault)")
/// }
/// let cache = CachingInterceptor(memory: MemoryStore(), store: disk)
/// ```
///
/// Use it for what is worth keeping after a restart or offline. Don't use it for what may change in each
/// request, or where the network is as fast as a disk; a `MemoryStore` is enough there.
///
/// A directory has one owner. A store that finds it in use by another process, damaged beyond use, or not
/// writable declines every response and reports a ``DiskFault``; it never makes a request fail. A damaged
/// database is moved away, and an empty one is created; the damaged one is removed at a later start,
/// or when an account is wiped. A directory that is deleted or replaced while it is open, as by a system that
/// frees space, is opened again at the next response that is stored or removed, and created if it is missing.
///
/// A thread of its own writes, and storing doesn't wait for it. Reads run at the same time on the threads of
/// Swift's pool, of which there is one per core of the processor.
/// A read waits for the thread that writes only if a response for the same key isn't written yet. How often a
/// response was read is written later, in batches; a process that is killed loses the last of it.
///
/// After the end of the process whatever was written is found again; a loss of power may lose the last
/// responses, but no removal by account, service or API. Bodies and heads are not encrypted: use a directory
/// that only the app can read.
public final class SQLiteResponseStore: ResponseStore, RangeReadingStore {
  /// The maximum size of responses that wait to be written, in bytes; more are declined.
  private static let maximumWaitingBytes = 8 << 20

  /// The maximum size of one response, in bytes.
  public var maximumResponseBytes: Int { limits.responseBytes }

  private let limits: Limits
  private let directory: ResponseDirectory
  private let waitingBytes = Mutex(0)

  /// Creates a store, which opens the directory in the background, and creates it if it doesn't exist.
  ///
  /// - Parameters:
  ///   - directory: The path of a directory for this store alone, on a local disk.
  ///   - limits: The limits; 150 MiB by default.
  ///   - time: The clocks, of which the wall clock names damaged files.
  ///   - onFault: Called on the store's thread for each fault, including those that the store has overcome.
  public init(
    directory: String, limits: Limits = Limits(), time: TimeSource = .system,
    onFault: @escaping @Sendable (DiskFault) -> Void = { _ in }
  ) {
    self.limits = limits
    self.directory = ResponseDirectory(directory, limits: limits, time: time, onFault: onFault)
    self.directory.post { $0.open() }
  }

  deinit { directory.post { $0.close() } }

  /// Waits until the directory is open, and returns the fault because of which the store keeps nothing.
  ///
  /// Nil if the directory is in use.
  public func fault() async -> DiskFault? { await directory.perform { $0.fault } }

  /// Returns the number of responses, and the bytes that they take on the disk.
  ///
  /// After opening, the existing ones are counted gradually.
  public func usage() async -> (responses: Int, bytes: Int) { await directory.perform { $0.usage } }

  /// Waits until everything is written, and releases the directory for another store.
  ///
  /// Afterwards the store declines every response.
  public func close() async { await directory.perform { $0.close() } }

  /// Returns the response stored for a key and these request header fields, whether fresh or stale.
  public func response(for key: CacheKey, requestFields: HTTPFields) async -> StoredResponse? {
    await lookup(key, requestFields: requestFields).response
  }

  /// Looks a request up on Swift's pool; a response that is found may be stale.
  ///
  /// The disk never blocks the main thread, that of another actor or a task's own executor, which may be the
  /// event loop of a transport.
  public func lookup(_ key: CacheKey, requestFields: HTTPFields) async -> StoreLookup {
    await lookup(.init(key, requestFields: requestFields, for: .use))
  }

  /// Looks a request with a `Range` up; a body in a file is verified, but left there.
  package func lookupForRange(_ key: CacheKey, requestFields: HTTPFields) async -> StoreLookup {
    await lookup(.init(key, requestFields: requestFields, for: .range))
  }

  private func lookup(_ query: ReaderConnection.Query) async -> StoreLookup {
    await Self.onPool { [directory] in await directory.lookup(query) }
  }

  /// Runs a closure on Swift's pool, also in a task that prefers another executor.
  // The closure is @concurrent, because another one would begin on the executor that is there.
  @concurrent static func onPool<Value: Sendable>(
    _ work: @concurrent @Sendable () async -> Value
  ) async -> Value {
    await withTaskExecutorPreference(globalConcurrentExecutor, operation: work)
  }

  /// Stores a response in place of those for the same request, without waiting for the disk; returns false if
  /// it is too large or sensitive, or if too many responses wait to be written.
  public func store(_ response: StoredResponse, requestFields: HTTPFields, at now: CacheInstant) async -> Bool
  {
    let size = response.size
    let isAccepted =
      limits.responses > 0 && size <= limits.responseBytes && !response.isInMemoryOnly
      && waitingBytes.withLock { waiting in
        guard waiting + size <= Self.maximumWaitingBytes || waiting == 0 else { return false }
        waiting += size
        return true
      }
    let hash = ResponseColumns.hash(of: response.key)
    directory.readers.willWrite(hash)
    guard isAccepted else {
      directory.post { directory in
        directory.removeVariants(of: response.key, requestFields: requestFields)
        directory.readers.didWrite(hash)
      }
      return false
    }
    directory.post { [self] directory in
      directory.store(response, requestFields: requestFields, at: now)
      directory.readers.didWrite(hash)
      waitingBytes.withLock { $0 -= size }
    }
    return true
  }

  /// Removes the selected responses, also those that still wait to be written, and returns their number.
  ///
  /// After it has returned, they stay removed if the process is killed; if an account or everything was
  /// removed, the files have nothing of it any more. A store that has a fault, and
  /// therefore keeps nothing, removes nothing: responses of earlier processes remain in its directory.
  @discardableResult public func remove(_ selection: CacheSelection) async -> Int {
    await directory.perform { $0.remove(selection) }
  }
}

extension SQLiteResponseStore {
  /// The limits of a store on a disk.
  public struct Limits: Sendable, Hashable {
    /// The maximum size of the directory, in bytes; 150 MiB.
    package var bytes: Int
    /// The maximum size of one response, in bytes; a tenth of `bytes` by default.
    package var responseBytes: Int
    /// The maximum number of responses; 65,536.
    package var responses: Int
    /// How long a response is kept after it became stale, for revalidation and for use without a network; 30
    /// days.
    package var staleFor: Duration

    /// Creates limits; negative values are treated as zero.
    ///
    /// - Parameters:
    ///   - bytes: The maximum size of the directory, in bytes; 150 MiB.
    ///
    ///     SQLite's write-ahead log may exceed it by a twentieth for a short time.
    ///   - responseBytes: The maximum size of one response, in bytes; a tenth of `bytes` by default.
    ///
    ///     A larger response is not stored.
    ///   - responses: The maximum number of responses; 65,536.
    ///   - staleFor: How long a response is kept after it became stale, for revalidation and for use without
    ///     a network; 30 days.
    public init(
      bytes: Int = 150 << 20, responseBytes: Int? = nil, responses: Int = 65_536,
      staleFor: Duration = .seconds(30 * 86_400)
    ) {
      self.bytes = max(0, bytes)
      self.responseBytes = max(0, min(responseBytes ?? bytes / 10, bytes))
      self.responses = max(0, responses)
      self.staleFor = max(.zero, staleFor)
    }
  }
}

#else
// What the compiler says without the trait, instead of "cannot find in scope".

/// Needs the trait SQLite.
@available(
  *, unavailable, message: "add traits: [\"SQLite\"] to the dependency on Switchyard in Package.swift"
)
public struct SQLiteResponseStore: Sendable {
  /// Needs the trait SQLite.
  public init(directory: String, onFault: @escaping @Sendable (any Error) -> Void = { _ in }) {}
}
#endif
