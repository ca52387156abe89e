import HTTPTypes
import Interception

extension CachingInterceptor {
  /// Handles a request that isn't simply looked up.
  func handleUncached(
    _ request: Request, _ rule: CacheRule, _ plan: CachePlan, _ next: some Dispatcher
  ) async throws -> Response {
    if case .slice(let key, let wanted, let constraints) = plan {
      return try await slice(request, key, wanted, constraints, rule, next)
    }
    if case .evaluate(let key, let constraints) = plan,
      let response = await evaluated(request, key, constraints, rule)
    {
      return try Self.delivered(response, to: request)
    }
    guard rule.mode != .onlyStored else { throw Self.notStored(request) }
    return try await bypass(request, rule, plan, next)
  }

  /// Forwards a request that bypasses the cache; an unsafe one removes the stored responses of its target.
  private func bypass(
    _ request: Request, _ rule: CacheRule, _ plan: CachePlan, _ next: some Dispatcher
  ) async throws -> Response {
    switch plan {
    case .invalidate(let target, let reason):
      let (mark, requested) = (storage.mark, clock.now())
      do throws(NetworkError) {
        let response = try await next.dispatch(request)
        guard (200..<400).contains(response.status.code) else {
          return response.with(.forwarded(reason, stored: false))
        }
        if let retrieval = Retrieval(after: request, response, rule, cache: self, at: clock.now()) {
          return await keep(response, of: retrieval, rule, reason, requested: requested, since: mark)
        }
        await storage.remove(.target(target))
        return response.with(.forwarded(reason, stored: false))
      } catch {
        if error.requestMayHaveBeenProcessed { await storage.remove(.target(target)) }
        throw error
      }
    case .bypass(let reason):
      return try await next.dispatch(request).with(.forwarded(reason, stored: false))
    case .refuse: return Self.unsatisfied
    case .evaluate(_, let constraints) where constraints.onlyIfCached: return Self.unsatisfied
    case .evaluate, .slice, .consult:
      return try await next.dispatch(request).with(.forwarded(.bypass, stored: false))
    }
  }

  /// Stores the response to a POST for later retrievals, in place of what is stored for its target.
  private func keep(
    _ response: Response, of retrieval: Retrieval, _ rule: CacheRule,
    _ reason: Exchange.CacheStatus.ForwardReason, requested: CacheInstant, since mark: UInt64
  ) async -> Response {
    let tags = retrieval.request.context.cacheTags
    let next = await storage.replace(
      retrieval.key, tags: tags, since: mark, writing: .target(retrieval.key.subject.target))
    let fetch = Fetch(key: retrieval.key, rule: rule, reason: reason, requested: requested, mark: next)
    // A recording has retrievals only.
    var cache = self
    cache.recorder = nil
    return await cache.kept(response, of: retrieval.request, fetch)
  }
}

/// The GET that the response to a POST answers, too (RFC 9110, section 9.3.3).
///
/// Such a response is a 200 that states how long it is fresh, and whose `Content-Location` is the target URI:
/// its content is what a GET would have returned.
private struct Retrieval {
  /// The GET.
  let request: Request
  /// Its key.
  let key: CacheKey

  /// Creates the GET; nil if the response may not be stored for it.
  init?(
    after request: Request, _ response: Response, _ rule: CacheRule, cache: CachingInterceptor,
    at now: CacheInstant
  ) {
    let (head, fields) = (request.head, response.head.headerFields)
    guard head.method == .post, response.status == .ok, rule.isStated, rule.mode != .noStore,
      request.permits(.caching), let location = fields.singleValue(.contentLocation),
      !CacheControl(head.headerFields[.cacheControl]).noStore
    else { return nil }
    let control = CacheControl(fields.value(of: .cacheControl)).applied(to: cache.sharing)
    guard
      let lifetime = Freshness.statedLifetime(of: response.head, control, received: now), lifetime > .zero
    else { return nil }
    var retrieval = head
    retrieval.method = .get
    let target = URIReference(location).resolved(against: Self.reference(to: head))
    var named = retrieval
    (named.scheme, named.authority) = (target.scheme, target.authority)
    named.path = target.path + (target.query.map { "?\($0)" } ?? "")
    guard target.fragment == nil, let key = cache.retrievalKey(of: retrieval, after: request),
      cache.retrievalKey(of: named, after: request) == key
    else { return nil }
    self.request = Request(retrieval, options: request.options, context: request.context)
      .identified(like: request)
    self.key = key
  }

  /// Returns the target URI of a request.
  private static func reference(to head: HTTPRequest) -> URIReference {
    var reference = URIReference(head.path ?? "/")
    (reference.scheme, reference.authority) = (head.scheme, head.authority)
    return reference
  }
}

extension CachingInterceptor {
  /// Returns the key of a GET without content under a stated rule.
  fileprivate func retrievalKey(of head: HTTPRequest, after request: Request) -> CacheKey? {
    CacheKey(
      head, .empty, partition: request.context.partition, api: request.context.api, schema: schema,
      owner: CacheKey.Owner(of: request, sharing: sharing, leavingOut: volatile), keepsOrder: true,
      leavingOut: volatile)
  }
}
