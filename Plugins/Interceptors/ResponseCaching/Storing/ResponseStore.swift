public import HTTPTypes
package import Interception

/// A store for a cache's responses; it decides about eviction, but not about freshness.
///
/// Use ``MemoryStore``, alone or over a slower store. Conform to this protocol to store responses elsewhere,
/// for example on disk or in memory shared by processes. What is stored, and for how long, is determined by
/// the API's `CacheRule`.
///
/// This one keeps one response for each key, and removes what has been stale for an hour:
///
/// ```swift
/// actor TableStore: ResponseStore {
///   private var table: [CacheKey: StoredResponse] = [:]
///
///   func response(for key: CacheKey, requestFields: HTTPFields) -> StoredResponse? {
///     table[key].flatMap { $0.selector.matches(requestFields) ? $0 : nil }
///   }
///
///   func store(_ response: StoredResponse, requestFields: HTTPFields, at now: CacheInstant) -> Bool {
///     table = table.filter { $0.value.remaining(at: now, staleFor: .seconds(3_600)) >= .zero }
///     let other = table[response.key].flatMap { $0.selector.matches(requestFields) ? $0 : nil }
///     if let other, response.isOlder(than: other) { return false }
///     table[response.key] = response
///     return true
///   }
///
///   func remove(_ selection: CacheSelection) -> Int {
///     let count = table.count
///     table = table.filter { !selection.contains($0.key, tags: $0.value.tags) }
///     return count - table.count
///   }
/// }
/// ```
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
  /// A store must compare the whole key, by `==` or by ``CacheKey/encoded``, and return a response only if
  /// its selector matches `requestFields`; of several, the one that is not older than another one by
  /// ``StoredResponse/isOlder(than:)``.
  func response(for key: CacheKey, requestFields: HTTPFields) async -> StoredResponse?

  /// Looks a request up: the result is what ``response(for:requestFields:)`` returns, or why there is none.
  ///
  /// The cache calls it once for a request. By default it tells no variants from nothing, which affects only
  /// what `Exchange.CacheStatus` reports.
  func lookup(_ key: CacheKey, requestFields: HTTPFields) async -> StoreLookup

  /// Stores a response in place of those for the same request; returns false if it declines.
  ///
  /// Even then the responses that it would have replaced are removed, because they are out of date. But a
  /// response that is older than one of them, see ``StoredResponse/isOlder(than:)``, is declined, and nothing
  /// is removed.
  func store(_ response: StoredResponse, requestFields: HTTPFields, at now: CacheInstant) async -> Bool

  /// Removes the selected responses, and returns their number.
  ///
  /// No lookup that begins after it has returned finds a selected response that was stored before. The cache
  /// doesn't use what an earlier lookup has found.
  @discardableResult func remove(_ selection: CacheSelection) async -> Int
}

extension ResponseStore {
  /// Returns the response, or nothing.
  public func lookup(_ key: CacheKey, requestFields: HTTPFields) async -> StoreLookup {
    await response(for: key, requestFields: requestFields).map(StoreLookup.found) ?? .nothing
  }

  /// 1 MiB.
  public var maximumResponseBytes: Int { 1 << 20 }
}

/// A store that can leave a large body where it is when a request asks for part of it.
package protocol RangeReadingStore: ResponseStore {
  /// Looks a request with a `Range` up; the response that is found may have an ``OutlyingBody``.
  func lookupForRange(_ key: CacheKey, requestFields: HTTPFields) async -> StoreLookup
}

/// The body of a stored response, left in its store.
package struct OutlyingBody: Sendable {
  /// The number of bytes.
  package let count: Int
  /// Returns a source of some of the bytes; nil if they are gone meanwhile.
  package let source: @Sendable (Range<Int>) -> (any ByteSource)?

  /// Creates a body that is read when its source is.
  package init(count: Int, source: @escaping @Sendable (Range<Int>) -> (any ByteSource)?) {
    self.count = count
    self.source = source
  }
}
