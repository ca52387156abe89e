import HTTPTypes
import Interception

/// What to do once the store was asked; a pure function of what it had, the rule, the request and the time.
enum CacheDecision {
  /// Answer from the store; fresh for `ttl` seconds more, stale if negative. One that `needsNews` is asked
  /// for meanwhile.
  case answer(StoredResponse, ttl: Int64, needsNews: Bool = false)
  /// Ask the server to confirm what is stored, for a reason.
  case confirm(StoredResponse, CacheStatus.ForwardReason)
  /// Ask the server for its answer.
  case forward(CacheStatus.ForwardReason)
  /// Fail: the server must not be asked, and nothing is stored.
  case fail

  init(
    stored: StoredResponse?, mode: CacheRule.Mode, lifetime: Duration, constraints: CachePlan.Constraints,
    now: CacheMoment
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
      // With the clock set back nobody knows how stale it is: it is stale by a second at least.
      self = .answer(stored, ttl: remaining.map(Self.seconds) ?? -1)
      return
    }
    let reason: CacheStatus.ForwardReason
    if let remaining, remaining > .zero {
      // RFC 9111, section 5.2.1.1: an age of exactly max-age is still acceptable.
      let isTooOld = constraints.maxAge.map { stored.freshness.age(at: now) ?? .zero > $0 } ?? false
      guard isTooOld || constraints.mustConfirm else {
        self = .answer(stored, ttl: Self.seconds(remaining))
        return
      }
      reason = .request
    } else {
      // A request that bounds the age takes nothing stale unless it says so (section 5.2.1.1).
      if let remaining, !constraints.mustConfirm, constraints.maxAge == nil,
        stored.freshness.isWithinStaleWindow(at: now, limit: lifetime)
      {
        self = .answer(stored, ttl: Self.seconds(remaining), needsNews: true)
        return
      }
      reason = .stale
    }
    self = stored.validators == nil ? .forward(reason) : .confirm(stored, reason)
  }

  /// Whole seconds, rounded down, so that what is stale by less than one is negative.
  private static func seconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return attoseconds < 0 ? seconds - 1 : seconds
  }
}
