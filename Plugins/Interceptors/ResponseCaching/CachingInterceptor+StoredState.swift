import HTTPTypes
public import Interception
import RequestFlights

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
  /// doesn't have yet, the result is `unknown`. With a store below memory it is `unknown` if nothing is in
  /// memory, and without memory for every request that uses the cache.
  public func storedState(for request: Request) -> CacheRule.StoredState {
    let rule = request.context.cacheRule.resolved(by: defaultRule).with(.useFresh)
    switch CachePlan.made(
      for: request, request.context, rule, schema: schema, sharing: sharing, leavingOut: volatile)
    {
    case .bypass, .invalidate, .refuse: return .absent
    case .slice, .evaluate: return .unknown
    case .consult(let key, let constraints):
      guard let memory = storage.memory else { return .unknown }
      switch memory.knowledge(of: key, requestFields: request.head.headerFields) {
      // The credentials of an unknown account are added later, and are a part of the key.
      case .nothing: return storage.isMemoryOnly && !request.hasUnknownIdentity ? .absent : .unknown
      case .others: return .unknown
      // A part is of no use to a request for the whole.
      case .response(let stored) where stored.isPart: return .absent
      case .response(let stored):
        let now = clock.now()
        let decision = CacheDecision(
          stored: stored, rule: rule, constraints: constraints, sharing: sharing, now: now)
        if case .use = decision { return .fresh }
        let limit = stored.freshness.limit(under: rule)
        let remaining = stored.freshness.remaining(at: now, limit: limit) ?? .zero
        // Without the server a stale response that forbids its use is of no use to any mode.
        return remaining <= .zero && stored.control(for: sharing).forbidsStale ? .absent : .stale
      }
    }
  }
}

extension CachingInterceptor {
  /// Revalidates a response in the background after it was used stale (RFC 5861, section 3).
  ///
  /// Cancelling the caller or the end of its time doesn't cancel it, a failure keeps the stored response, and
  /// at most one runs per key.
  func refresh(
    _ stored: StoredResponse, _ request: Request, _ rule: CacheRule, requested: CacheInstant,
    since mark: UInt64, _ next: some Dispatcher
  ) {
    let request = request.withoutCallLimit()
    // The caller's request is recorded, and this one isn't.
    var cache = self
    cache.recorder = nil
    let fetch = Fetch(
      key: stored.key, stored: stored, isConditional: stored.validators != nil, rule: rule, reason: .stale,
      requested: requested, mark: mark)
    let tags = stored.tags.union(request.context.cacheTags)
    storage.refresh(stored.key, tags: tags, since: mark) { [cache] in
      _ = try? await cache.forward(request, fetch, next)
    }
  }

  /// Waits for all background revalidations; for tests.
  package func refreshesEnded() async { await storage.refreshesEnded() }
}

extension CachingInterceptor {
  /// Removes all responses of an account, alone and together with other accounts; call it at logout.
  ///
  /// Responses in flight at that moment are not stored afterwards, and no further request of the same
  /// pipeline joins them. This applies to every kind of removal.
  /// - Returns: The number of responses removed.
  @discardableResult public func wipe(partition: String) async -> Int {
    await storage.remove(.partition(partition))
  }

  /// Removes the responses of a service's APIs, and returns their number.
  @discardableResult public func wipe(service: String) async -> Int {
    await storage.remove(.service(service))
  }

  /// Removes the responses of an API, and returns their number.
  @discardableResult public func wipe(api: APIIdentity) async -> Int { await storage.remove(.api(api)) }

  /// Removes the responses that have at least one of some tags, whichever API they belong to, and returns
  /// their number.
  ///
  /// A `TagRegistry` of `APIManagers` calls it for what a mutation has changed:
  ///
  /// ```swift
  /// let cache = CachingInterceptor()
  /// let tags = TagRegistry { stale in await cache.wipe(tags: stale) }
  /// ```
  @discardableResult public func wipe(tags: Set<CacheRule.Tag>) async -> Int {
    await storage.remove(.tags(tags))
  }

  /// The number of requests in flight that equal ones can wait for.
  package var flightCount: Int { storage.flights.count }

  /// Removes all responses, and returns their number.
  @discardableResult public func removeAll() async -> Int { await storage.remove(.all) }

  /// Removes the responses for a request; call it if a response turns out to be invalid.
  ///
  /// The request may be the original one, without the credentials added by interceptors. With a partition it
  /// is identified by partition, API, method and target; without one, by its target for every account. All
  /// variants are removed.
  @discardableResult public func invalidate(_ request: Request) async -> Int {
    let subject = CacheSubject(request, leavingOut: volatile)
    return await storage.remove(subject.partition.isEmpty ? .target(subject.target) : .subject(subject))
  }
}
