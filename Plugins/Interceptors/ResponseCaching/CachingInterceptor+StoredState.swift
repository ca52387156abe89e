import HTTPTypes
public import Interception

extension CachingInterceptor {
  /// Returns what is known about the stored response to a request without waiting.
  ///
  /// Pass it to `APIClient`, so that loads report `cached` and `offline` at once:
  ///
  /// ```swift
  /// let cache = CachingInterceptor()
  /// let client = APIClient(dispatcher: pipeline, storedState: cache.storedState(for:))
  /// ```
  ///
  /// The request is the original one, before other interceptors have changed it; `APIClient` adds the
  /// partition that those of a `Pipeline` know. They may add header fields, but must not change its
  /// partition, API, method and target. If responses are stored that depend on fields which the request
  /// doesn't have yet, the result is `unknown`. With a ``LayeredStore`` it is `unknown` if nothing is in
  /// memory, and with any other store but a ``MemoryStore`` for every request that uses the cache.
  public func storedState(for request: Request) -> CacheRule.StoredState {
    let rule = request.context.cacheRule.resolved(by: defaultRule).with(.useFresh)
    switch CachePlan.made(
      for: request, request.context, rule, schema: schema, sharing: sharing, leavingOut: volatile)
    {
    case .bypass, .invalidate, .refuse: return .absent
    case .slice: return .unknown
    case .consult(let key, let constraints):
      guard let memory = storage.memory else { return .unknown }
      switch memory.knowledge(of: key, requestFields: request.head.headerFields) {
      case .nothing: return storage.isMemoryOnly ? .absent : .unknown
      case .others: return .unknown
      case .response(let stored):
        let now = CacheInstant(time)
        let decision = CacheDecision(
          stored: stored, rule: rule, constraints: constraints, sharing: sharing, now: now)
        if case .use = decision { return .fresh }
        let remaining = stored.freshness.remaining(at: now, limit: rule.limit ?? .zero) ?? .zero
        // Without the server a stale response that forbids its use is of no use to any mode.
        return remaining <= .zero && stored.control(for: sharing).forbidsStale ? .absent : .stale
      }
    }
  }
}
