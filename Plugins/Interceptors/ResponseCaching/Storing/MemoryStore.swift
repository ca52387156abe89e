public import HTTPTypes
import Synchronization

/// Keeps answers in memory, limited by bytes, number and age; S3-FIFO decides what goes first.
///
/// Every operation on one answer takes constant time; clearing by partition, service or API walks over all
/// answers.
public final class MemoryStore: ResponseStore {
  /// How much is kept, and for how long.
  public struct Limits: Sendable, Hashable {
    /// All answers together, in bytes as `StoredResponse.size` counts them; 16 MiB.
    public var bytes: Int
    /// One answer, in bytes; a tenth of the whole.
    ///
    /// A larger one is declined.
    public var answerBytes: Int
    /// The number of answers; 4,096.
    public var answers: Int
    /// How long an answer is kept after it became stale, for revalidation and for calls that take what is
    /// stored; 24 h.
    public var staleFor: Duration

    /// Makes limits; negative ones count as zero.
    public init(
      bytes: Int = 16 << 20, answerBytes: Int? = nil, answers: Int = 4_096,
      staleFor: Duration = .seconds(86_400)
    ) {
      self.bytes = max(0, bytes)
      self.answerBytes = max(0, min(answerBytes ?? bytes / 10, bytes))
      self.answers = max(0, answers)
      self.staleFor = max(.zero, staleFor)
    }
  }

  private let index: Mutex<CacheIndex>

  /// Makes an empty store.
  public init(limits: Limits = Limits()) { index = Mutex(CacheIndex(limits: limits)) }

  /// The number of answers.
  public var count: Int { index.withLock { $0.count } }

  /// The bytes of all answers.
  public var bytes: Int { index.withLock { $0.bytes } }

  /// Returns what is stored under a key for a request with these header fields; fresh or not.
  public func response(for key: CacheKey, requestFields: HTTPFields) async -> StoredResponse? {
    answer(for: key, requestFields: requestFields)
  }

  /// Does what ``response(for:requestFields:)`` does, for a caller that need not wait.
  func answer(for key: CacheKey, requestFields: HTTPFields) -> StoredResponse? {
    index.withLock { $0.response(for: key, requestFields: requestFields) }
  }

  /// Keeps an answer in place of the ones that the same request had been given; returns false when it is too
  /// large.
  ///
  /// Each call also looks at four answers in turn and removes those that have been stale for too long.
  public func store(_ response: StoredResponse, requestFields: HTTPFields, at now: CacheMoment) async -> Bool
  {
    index.withLock { index in
      index.sweep(slots: 4, at: now)
      return index.store(response, requestFields: requestFields)
    }
  }

  /// Removes a part of what is stored, and returns the number of answers removed.
  @discardableResult public func remove(_ selection: CacheSelection) async -> Int {
    index.withLock { $0.remove(selection) }
  }

  /// Removes every answer that has been stale for too long, and returns their number.
  ///
  /// Storing does this bit by bit; call it when the app is asked to give back memory.
  @discardableResult public func sweep(at now: CacheMoment) -> Int {
    index.withLock { $0.sweep(slots: .max, at: now) }
  }
}
