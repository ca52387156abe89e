import HTTPTypes
import Interception

/// The next step after a lookup; a pure function of the stored response, the rule, the request and the time.
enum CacheDecision {
  /// Use the stored response, which is fresh for another `ttl` seconds, or stale if negative.
  ///
  /// If `refreshes` is true, it is also revalidated in the background.
  case use(StoredResponse, ttl: Int64, refreshes: Bool = false)
  /// Revalidate the stored response, for a reason.
  case revalidate(StoredResponse, Exchange.CacheStatus.ForwardReason)
  /// Forward the request to the server.
  case forward(Exchange.CacheStatus.ForwardReason)
  /// Fail: the server must not be contacted, and nothing is stored.
  case fail

  init(
    stored: StoredResponse?, mode: CacheRule.Mode, lifetime: Duration, constraints: CachePlan.Constraints,
    now: CacheInstant
  ) {
    guard mode != .reload else {
      self = .forward(.request)
      return
    }
    guard let stored else {
      self = mode == .onlyStored ? .fail : .forward(.uriMiss)
      return
    }
    let remaining = stored.freshness.remaining(at: now, limit: lifetime)
    if mode == .onlyStored {
      // After the clock was set back the staleness is unknown; report at least one second.
      self = .use(stored, ttl: remaining.map(Self.seconds) ?? -1)
      return
    }
    let reason: Exchange.CacheStatus.ForwardReason
    if let remaining, remaining > .zero {
      // An age of exactly max-age is still acceptable (RFC 9111, section 5.2.1.1).
      let isTooOld = constraints.maxAge.map { stored.freshness.age(at: now) ?? .zero > $0 } ?? false
      guard isTooOld || constraints.requiresRevalidation else {
        self = .use(stored, ttl: Self.seconds(remaining))
        return
      }
      reason = .request
    } else {
      // A request with max-age doesn't accept a stale response unless it says so (section 5.2.1.1).
      if let remaining, !constraints.requiresRevalidation, constraints.maxAge == nil,
        stored.freshness.isWithinStaleWindow(at: now, limit: lifetime)
      {
        self = .use(stored, ttl: Self.seconds(remaining), refreshes: true)
        return
      }
      reason = .stale
    }
    self = stored.validators == nil ? .forward(reason) : .revalidate(stored, reason)
  }

  /// The whole seconds, rounded down, so that a response that is stale by less than a second is negative.
  private static func seconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return attoseconds < 0 ? seconds - 1 : seconds
  }
}
