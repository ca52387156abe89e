import HTTPTypes
import Interception

/// How the cache handles a request, before any lookup.
enum CachePlan {
  /// Forward the request without using the cache.
  case bypass(Exchange.CacheStatus.ForwardReason)
  /// Forward the request; if the server processed it, remove the stored responses of the target.
  case invalidate(target: ArraySlice<UInt8>, Exchange.CacheStatus.ForwardReason)
  /// Look up the response, and store the server's.
  case consult(CacheKey, Constraints)
  /// Look up a range of the response, and store the part that the server sends.
  indirect case slice(CacheKey, RangeRequest, Constraints)
  /// Evaluate the request's own conditions on a fresh stored response, or forward the request without using
  /// the cache.
  indirect case evaluate(CacheKey, Constraints)
  /// Respond with a 504: the request's `only-if-cached` forbids to forward it, and it can't be looked up.
  case refuse

  /// Creates the plan for a request and its context.
  ///
  /// - Parameter rule: The rule that applies to the request.
  static func made(
    for request: Request, _ context: RequestContext, _ rule: CacheRule, schema: String,
    sharing: CacheSharing = .private, leavingOut volatile: VolatileParts
  ) -> CachePlan {
    let head = request.head
    // A POST to a named API that declares it cacheable only reads; a default rule declares nothing.
    guard
      head.method.isRetrieval
        || head.method == .post && context.cacheRule.limit != nil && context.api != nil
    else {
      let reason: Exchange.CacheStatus.ForwardReason = rule.limit == nil ? .bypass : .method
      return head.method.isSafe
        ? .bypass(reason)
        : .invalidate(target: CacheSubject(request, leavingOut: volatile).target, reason)
    }
    guard rule.limit != nil, rule.mode != .noStore, request.permits(.caching) else { return .bypass(.bypass) }
    let fields = Fields(of: request, leavingOut: volatile)
    let control = CacheControl(fields.isControlled ? head.headerFields[.cacheControl] : nil)
    // The requests of a shared cache come from clients with caches of their own. A request of an app that has
    // conditions is meant for the server.
    let isEvaluated =
      fields.haveConditions && sharing == .shared && rule.isStated
      && (head.method == .get || head.method == .head) && !fields.areRanged && !fields.haveRangeCondition
      && RequestConditions(head.headerFields) != nil
    guard !fields.haveConditions || isEvaluated, !control.noStore,
      let key = CacheKey(
        head, request.body, partition: context.partition, api: context.api, schema: schema,
        owner: CacheKey.Owner(of: request, sharing: sharing, hasCredentials: fields.haveCredentials),
        keepsOrder: rule.isStated, leavingOut: volatile)
    else { return control.onlyIfCached ? .refuse : .bypass(.bypass) }
    let constraints = Constraints(control)
    guard !isEvaluated else { return .evaluate(key, constraints) }
    guard fields.areRanged else { return .consult(key, constraints) }
    guard rule.isStated, head.method == .get, let range = RangeRequest(head.headerFields) else {
      return control.onlyIfCached ? .refuse : .bypass(.bypass)
    }
    return .slice(key, range, constraints)
  }

  /// The relevant header fields of a request.
  private struct Fields {
    /// Whether there is a `Cache-Control`.
    var isControlled = false
    /// Whether there are credentials that tell their holder.
    var haveCredentials = false
    /// Whether there is a `Range`.
    var areRanged = false
    /// Whether the request has conditions of its own.
    var haveConditions = false
    /// Whether there is an `If-Range`.
    var haveRangeCondition = false

    /// Examines the fields.
    init(of request: Request, leavingOut volatile: VolatileParts) {
      let fields = request.head.headerFields
      for index in fields.indices {
        let name = fields[index].name
        if request.credentialFields.contains(name), !volatile.contains(name) { haveCredentials = true }
        // The first letter rules out most names.
        switch name.canonicalName.utf8.first {
        case UInt8(ascii: "i"):
          let conditions: [HTTPField.Name] = [.ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince]
          if conditions.contains(name) { haveConditions = true }
          if name == .ifRange { haveRangeCondition = true }
        case UInt8(ascii: "r"): if name == .range { areRanged = true }
        case UInt8(ascii: "c"): if name == .cacheControl { isControlled = true }
        default: break
        }
      }
      // Without a range, which it concerns, it is left to the server.
      if haveRangeCondition, !areRanged { haveConditions = true }
    }
  }
}

/// The range that a request asks for, and the condition under which it does.
struct RangeRequest: Sendable, Hashable {
  /// The range.
  let range: ByteRange
  /// The value of `If-Range`; nil if there is none.
  let condition: [UInt8]?

  /// Reads the fields of a request; nil unless they are a single range and at most one condition.
  init?(_ fields: HTTPFields) {
    guard let range = fields[.range].flatMap({ ByteRange($0) }) else { return nil }
    condition = fields[text: .ifRange]?.bytes
    guard condition != nil || !fields.contains(.ifRange) else { return nil }
    self.range = range
  }
}

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
    let limit = stored.freshness.limit(under: rule)
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
