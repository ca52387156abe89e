import Interception

extension CachePlan {
  /// The constraints from the request's own `Cache-Control` (RFC 9111, section 5.2.1).
  struct Constraints: Sendable, Hashable {
    /// Whether a stored response must be revalidated.
    var requiresRevalidation = false
    /// The maximum age of a stored response.
    var maxAge: Duration?
    /// How long a stored response must remain fresh.
    var minFresh: Duration?
    /// The accepted staleness.
    var maxStale: Duration?
    /// The accepted staleness if the server fails (RFC 5861, section 4).
    var staleIfError: Duration?
    /// Whether the server must not be contacted.
    var onlyIfCached = false

    /// Reads the constraints; a request without the field has none.
    init(_ control: CacheControl = CacheControl(nil)) {
      requiresRevalidation = control.noCache || !control.noCacheFields.isEmpty
      maxAge = control.maxAge
      minFresh = control.minFresh
      maxStale = control.maxStale
      staleIfError = control.staleIfError
      onlyIfCached = control.onlyIfCached
    }

    /// Whether the request doesn't accept a stale response unless it says how stale.
    var demandsCurrent: Bool { requiresRevalidation || maxAge != nil || minFresh != nil }

    /// Whether a stored response is fresh enough, or not too stale.
    ///
    /// `max-stale` extends both the lifetime and `max-age`; it has no effect together with `min-fresh`, nor
    /// on a stale response that forbids it. `max-age` has no effect on a fresh response that is `immutable`
    /// (RFC 8246): the server has said that there is no other content.
    func accept(
      _ stored: StoredResponse, remaining: Duration, _ sharing: CacheSharing, at now: CacheInstant
    ) -> Bool {
      let isFresh = remaining > .zero && remaining >= minFresh ?? .zero
      if isFresh, maxAge == nil { return true }
      guard isFresh || (maxStale ?? .zero) > .zero && minFresh == nil else { return false }
      let control = stored.control(for: sharing)
      if isFresh {
        if control.isImmutable { return true }
      } else {
        guard !control.forbidsStale, .zero - remaining <= maxStale ?? .zero else { return false }
      }
      guard let maxAge else { return true }
      // An age of exactly max-age is still acceptable (section 5.2.1.1).
      return stored.freshness.age(at: now) ?? .zero <= maxAge + (maxStale ?? .zero)
    }
  }
}
