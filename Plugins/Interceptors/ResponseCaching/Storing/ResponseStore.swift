public import HTTPTypes

/// A store for a cache's responses; it decides about eviction, but not about freshness.
///
/// Use ``MemoryStore``. Conform to this protocol to store responses elsewhere, for example on disk or in
/// memory shared by processes. What is stored, and for how long, is determined by the API's `CacheRule`.
///
/// A store never fails: it declines a response that it can't store, and behaves as if a response that it
/// can't read completely were absent.
public protocol ResponseStore: Sendable {
  /// Returns the response stored for a key and these request header fields, whether fresh or stale.
  ///
  /// A store must compare the whole key including `CacheKey.preimage`, and return a response only if its
  /// selector matches `requestFields`.
  func response(for key: CacheKey, requestFields: HTTPFields) async -> StoredResponse?

  /// Stores a response in place of those for the same request; returns false if it declines.
  ///
  /// Even then the responses that it would have replaced are removed, because they are out of date.
  func store(_ response: StoredResponse, requestFields: HTTPFields, at now: CacheInstant) async -> Bool

  /// Removes the selected responses, and returns their number.
  ///
  /// After it has returned, no selected response that was stored before is returned again.
  @discardableResult func remove(_ selection: CacheSelection) async -> Int
}
