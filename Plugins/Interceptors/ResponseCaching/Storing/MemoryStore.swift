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
    public var bytes: Int
    /// The maximum size of one response, in bytes; a tenth of ``bytes`` by default.
    ///
    /// A larger response is not stored.
    public var responseBytes: Int
    /// The maximum number of responses; 4,096.
    public var responses: Int
    /// How long a response is kept after it became stale, for revalidation and for the mode `onlyStored`; 24
    /// h.
    public var staleFor: Duration

    /// Creates limits; negative values are treated as zero.
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
  private let index: Mutex<CacheIndex>

  /// Creates an empty store.
  public init(limits: Limits = Limits()) {
    maximumResponseBytes = limits.responseBytes
    index = Mutex(CacheIndex(limits: limits))
  }

  /// The number of responses.
  public var count: Int { index.withLock { $0.count } }

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
  @discardableResult public func sweep(at now: CacheInstant) -> Int {
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
