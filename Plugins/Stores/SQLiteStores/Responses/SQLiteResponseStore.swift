#if SQLite
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
/// let cache = CachingInterceptor(store: LayeredStore(memory: MemoryStore(), disk: disk))
/// ```
///
/// Use it for what is worth keeping after a restart or offline. Don't use it for what may change in each
/// request, or where the network is as fast as a disk; a `MemoryStore` is enough there.
///
/// A directory has one owner. A store that finds it in use by another process, damaged beyond use, or not
/// writable declines every response and reports a ``DiskFault``; it never makes a request fail. A damaged
/// database is moved away, and an empty one is created; the damaged one is removed at a later start,
/// or when an account is wiped.
///
/// All work is done on a thread of its own, one operation after the other. Storing doesn't wait for the disk.
/// After the end of the process whatever was written is found again; a loss of power may lose the last
/// responses, but no removal by account, service or API. Bodies and heads are not encrypted: use a directory
/// that only the app can read.
public final class SQLiteResponseStore: ResponseStore {
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
    await directory.perform { $0.response(for: key, requestFields: requestFields) }
  }

  /// Whether any response is stored for a key.
  public func hasVariants(of key: CacheKey) async -> Bool {
    await directory.perform { $0.hasVariants(of: key) }
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
    guard isAccepted else {
      directory.post { $0.removeVariants(of: response.key, requestFields: requestFields) }
      return false
    }
    directory.post { [self] directory in
      directory.store(response, requestFields: requestFields, at: now)
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
#endif
