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
  /// Fail: the server must not be contacted, and nothing is stored, or only a stale response that must be
  /// revalidated.
  case fail(isStored: Bool)
  /// Respond with a 504: the request's `only-if-cached` forbids to contact the server, and nothing suitable
  /// is stored.
  case refuse

  init(
    stored: StoredResponse?, rule: CacheRule, constraints: CachePlan.Constraints,
    sharing: CacheSharing = .private, now: CacheInstant
  ) {
    let decision = Self.decision(stored, rule, constraints, sharing, now)
    guard constraints.onlyIfCached else {
      self = decision
      return
    }
    switch decision {
    case .use(let stored, let ttl, _): self = .use(stored, ttl: ttl)
    case .revalidate, .forward, .refuse: self = .refuse
    case .fail(let isStored): self = .fail(isStored: isStored)
    }
  }

  /// Returns the decision about a request that doesn't say `only-if-cached`.
  private static func decision(
    _ stored: StoredResponse?, _ rule: CacheRule, _ constraints: CachePlan.Constraints,
    _ sharing: CacheSharing, _ now: CacheInstant
  ) -> CacheDecision {
    guard rule.mode != .reload, rule.mode != .noStore else { return .forward(.request) }
    guard let stored else { return rule.mode == .onlyStored ? .fail(isStored: false) : .forward(.uriMiss) }
    let limit = rule.limit ?? .zero
    let remaining = stored.freshness.remaining(at: now, limit: limit)
    if rule.mode.acceptsStale {
      // The mode says what the caller accepts; the server's word on stale responses stands (section 4.2.4).
      if remaining ?? .zero > .zero || !stored.control(for: sharing).forbidsStale {
        // After the clock was set back the staleness is unknown; report at least one second.
        return .use(stored, ttl: remaining.map(seconds) ?? -1)
      }
      if rule.mode == .onlyStored { return .fail(isStored: true) }
    }
    if let remaining, !constraints.requiresRevalidation, rule.mode != .revalidate {
      if constraints.accept(stored, remaining: remaining, sharing, at: now) {
        return .use(stored, ttl: seconds(remaining))
      }
      // A request that demands a current response doesn't accept a stale one (section 5.2.1).
      if remaining <= .zero, !constraints.demandsCurrent,
        stored.freshness.isWithinStaleWindow(at: now, limit: limit)
      {
        return .use(stored, ttl: seconds(remaining), refreshes: true)
      }
    }
    let reason: Exchange.CacheStatus.ForwardReason = (remaining ?? .zero) > .zero ? .request : .stale
    return stored.validators == nil ? .forward(reason) : .revalidate(stored, reason)
  }

  /// The whole seconds, rounded down, so that a response that is stale by less than a second is negative.
  static func seconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return attoseconds < 0 ? seconds - 1 : seconds
  }
}
