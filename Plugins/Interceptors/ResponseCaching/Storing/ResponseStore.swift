public import HTTPTypes

/// A store for a cache's responses; it decides about eviction, but not about freshness.
///
/// Use ``MemoryStore``. Conform to this protocol to store responses elsewhere, for example on disk or in
/// memory shared by processes. What is stored, and for how long, is determined by the API's `CacheRule`.
///
/// A store never fails: it declines a response that it can't store, and behaves as if a response that it
/// can't read completely were absent.
public protocol ResponseStore: Sendable {
  /// The maximum size of one response, in bytes; 1 MiB by default.
  ///
  /// It is also the maximum of what is held of a streamed response while the caller reads it.
  var maximumResponseBytes: Int { get }

  /// Returns the response stored for a key and these request header fields, whether fresh or stale.
  ///
  /// A store must compare the whole key including `CacheKey.preimage`, and return a response only if its
  /// selector matches `requestFields`; of several, the one that is not older than another one by
  /// ``StoredResponse/isOlder(than:)``.
  func response(for key: CacheKey, requestFields: HTTPFields) async -> StoredResponse?

  /// Returns whether any response is stored for a key, whichever request header fields it requires.
  ///
  /// It is called when no response was found for a request, and affects only what
  /// `Exchange.CacheStatus` reports. By default it returns false.
  func hasVariants(of key: CacheKey) async -> Bool

  /// Stores a response in place of those for the same request; returns false if it declines.
  ///
  /// Even then the responses that it would have replaced are removed, because they are out of date. But a
  /// response that is older than one of them, see ``StoredResponse/isOlder(than:)``, is declined, and nothing
  /// is removed.
  func store(_ response: StoredResponse, requestFields: HTTPFields, at now: CacheInstant) async -> Bool

  /// Removes the selected responses, and returns their number.
  ///
  /// After it has returned, no selected response that was stored before is returned again.
  @discardableResult func remove(_ selection: CacheSelection) async -> Int
}

extension ResponseStore {
  /// Returns false.
  public func hasVariants(of key: CacheKey) async -> Bool { false }

  /// 1 MiB.
  public var maximumResponseBytes: Int { 1 << 20 }
}
