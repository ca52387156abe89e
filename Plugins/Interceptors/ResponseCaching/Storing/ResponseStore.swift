public import HTTPTypes

/// Where a cache keeps answers; it decides what to evict, and nothing about freshness.
///
/// Use ``MemoryStore``. Conform to this protocol to keep answers elsewhere, on disk or in memory that
/// processes share; don't conform to it to change what is stored or for how long, which the API's `CacheRule`
/// says.
///
/// A store never fails: what it can't keep it declines, and what it can't read whole it doesn't have.
public protocol ResponseStore: Sendable {
  /// Returns what is stored under a key for a request with these header fields; fresh or not.
  ///
  /// A store compares the whole key, `CacheKey.preimage` too, and gives an answer only where its
  /// selector matches `requestFields`.
  func response(for key: CacheKey, requestFields: HTTPFields) async -> StoredResponse?

  /// Keeps an answer in place of the ones that the same request had been given; returns false when it
  /// declines.
  ///
  /// Where it declines, what the answer would have replaced is gone nevertheless: it is out of date.
  func store(_ response: StoredResponse, requestFields: HTTPFields, at now: CacheMoment) async -> Bool

  /// Removes a part of what is stored, and returns the number of answers removed.
  ///
  /// Once it has returned, nothing of the part that was stored before is given to anybody.
  @discardableResult func remove(_ selection: CacheSelection) async -> Int
}
