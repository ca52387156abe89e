import HTTPTypes
public import Interception

/// Serves fresh stored responses, revalidates stale ones, and stores new ones.
///
/// It does nothing unless a request's `cacheRule` enables caching. A response is then served without
/// contacting the server for the lifetime that the API declares, or for less if the response says so; see
/// ``Freshness``. A stale response with an `ETag` or a `Last-Modified` is revalidated; on a 304 the caller
/// gets the complete response. GET, HEAD and QUERY are cached, and POST if the request names its API.
/// Requests with conditions, a `Range` or `no-store`, and request bodies that are not in memory, bypass the
/// cache, as do streamed responses. With ``CachePolicy/stated`` it is instead a private HTTP cache that
/// follows the header fields of responses.
///
/// ```swift
/// let cache = CachingInterceptor()
/// request.context.cacheRule = .timed(.seconds(60))
/// request.context.partition = account.id
/// // at logout
/// await cache.wipe(partition: account.id)
/// ```
///
/// Responses are never shared between partitions. Without a partition, requests with different
/// `Authorization` or `Cookie` fields don't share responses either. A non-error response to PUT, POST,
/// DELETE, PATCH or an unknown method removes the stored responses of its target in all partitions (RFC 9111,
/// section 4.4), as does a failure after which the server may have processed the request.
///
/// Two concurrent identical misses both reach the server; an interceptor at stage `sharing` joins them.
/// `response.exchange.cache` always reports what the cache did.
public struct CachingInterceptor: Interceptor {
  /// At stage `caching`; calls `next` again if a 304 doesn't match the stored response.
  public let traits = InterceptorTraits(stage: .caching, callsNext: .anyNumber)
  let storage: CacheStorage
  let volatile: VolatileParts
  let policy: CachePolicy
  let time: TimeSource

  /// Creates a cache with a store.
  ///
  /// - Parameters:
  ///   - store: The store for responses; 16 MiB of memory by default.
  ///   - volatile: The parts of a request that the key leaves out.
  ///   - policy: What determines how long a response is fresh.
  ///   - time: The clocks that determine the age of responses.
  public init(
    store: any ResponseStore = MemoryStore(), volatile: VolatileParts = .standard,
    policy: CachePolicy = .declared, time: TimeSource = .system
  ) {
    storage = CacheStorage(store)
    self.volatile = volatile
    self.policy = policy
    self.time = time
  }

  /// Responds from the store, or forwards the request and stores the response.
  ///
  /// - Throws: `NetworkError.Kind.notStored` in mode `onlyStored` if nothing is stored; otherwise what `next`
  ///   throws.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    let context = request.context
    let rule = context.cacheRule
    let plan = CachePlan.made(for: request, context, policy, leavingOut: volatile)
    guard case .consult(let key, let lifetime, let constraints) = plan else {
      return try await handleUncached(request, plan, next)
    }
    // With a memory store the lookup doesn't suspend; a reload skips it.
    let stored: StoredResponse?
    if rule.mode == .reload {
      stored = nil
    } else if let memory = storage.memory {
      stored = memory.storedResponse(for: key, requestFields: request.head.headerFields)
    } else {
      stored = await storage.response(for: key, requestFields: request.head.headerFields)
    }
    let now = CacheInstant(time)
    let decision = CacheDecision(
      stored: stored, mode: rule.mode, lifetime: lifetime, constraints: constraints, now: now)
    switch decision {
    case .use(let stored, let ttl, let refreshes):
      if refreshes { refresh(stored, request, lifetime, requested: now, next) }
      return stored.response(
        age: stored.freshness.age(at: now), exchange: Exchange(attempts: 0, cache: .hit(ttl: ttl)))
    case .revalidate(let stored, let reason):
      return try await revalidate(stored, request, lifetime, reason, requested: now, next)
    case .forward(let reason):
      return try await forward(request, key, lifetime, reason, requested: now, next)
    case .fail:
      throw Self.notStored(request)
    }
  }

  /// Handles a request that isn't simply looked up.
  private func handleUncached(_ request: Request, _ plan: CachePlan, _ next: some Dispatcher) async throws
    -> Response
  {
    if let part = await part(of: request, plan) { return part }
    guard request.context.cacheRule.mode != .onlyStored else { throw Self.notStored(request) }
    return try await bypass(request, plan, next)
  }

  /// Returns part of a stored response, if the request asks for a range and the response is fresh.
  private func part(of request: Request, _ plan: CachePlan) async -> Response? {
    let mode = request.context.cacheRule.mode
    guard case .slice(let key, let range, let lifetime, let constraints) = plan, mode != .reload,
      let stored = await storage.response(for: key, requestFields: request.head.headerFields)
    else { return nil }
    let now = CacheInstant(time)
    let decision = CacheDecision(
      stored: stored, mode: mode, lifetime: lifetime, constraints: constraints, now: now)
    guard case .use(let stored, let ttl, refreshes: false) = decision else { return nil }
    return stored.part(
      range, age: stored.freshness.age(at: now), exchange: Exchange(attempts: 0, cache: .hit(ttl: ttl)))
  }

  /// Forwards a request that bypasses the cache; an unsafe one removes the stored responses of its target.
  private func bypass(_ request: Request, _ plan: CachePlan, _ next: some Dispatcher) async throws
    -> Response
  {
    guard case .invalidate(let target) = plan else {
      return try await next.dispatch(request).with(.forwarded(.bypass, stored: false))
    }
    do throws(NetworkError) {
      let response = try await next.dispatch(request)
      if (200..<400).contains(response.status.code) { await storage.remove(.target(target)) }
      return response.with(.forwarded(.bypass, stored: false))
    } catch {
      if error.requestMayHaveBeenProcessed { await storage.remove(.target(target)) }
      throw error
    }
  }

  /// Forwards the request, and stores the response.
  func forward(
    _ request: Request, _ key: CacheKey, _ lifetime: Duration, _ reason: Exchange.CacheStatus.ForwardReason,
    requested: CacheInstant, _ next: some Dispatcher
  ) async throws -> Response {
    let mark = storage.mark
    let response = try await next.dispatch(request)
    let isStored = await keep(response, of: request, key, lifetime, requested: requested, since: mark)
    return response.with(.forwarded(reason, stored: isStored))
  }

  /// Revalidates a stored response with a conditional request.
  func revalidate(
    _ stored: StoredResponse, _ request: Request, _ lifetime: Duration,
    _ reason: Exchange.CacheStatus.ForwardReason,
    requested: CacheInstant, _ next: some Dispatcher
  ) async throws -> Response {
    let mark = storage.mark
    var conditional = request
    conditional.head.headerFields[.ifNoneMatch] = stored.validators?.entityTag
    conditional.head.headerFields[.ifModifiedSince] = stored.validators?.lastModified
    let response = try await next.dispatch(conditional)
    guard response.status == .notModified else {
      let isStored = await keep(
        response, of: request, stored.key, lifetime, requested: requested, since: mark)
      return response.with(.forwarded(reason, stored: isStored))
    }
    guard Self.matches(response.head, stored.head) else {
      // The 304 refers to another response than the stored one (RFC 9111, section 4.3.4), so the request is
      // sent again without a condition.
      await storage.remove(.key(stored.key))
      return try await forward(
        request, stored.key, lifetime, reason, requested: CacheInstant(time), next)
    }
    let head = HTTPResponse(
      status: stored.head.status,
      headerFields: stored.head.headerFields.updated(by: response.head.headerFields))
    let whole = Response(
      head, body: .bytes(stored.body), trailers: stored.trailers, exchange: response.exchange)
    _ = await keep(whole, of: request, stored.key, lifetime, requested: requested, since: mark)
    return whole.with(.revalidated)
  }

  /// Stores a response if allowed; removes the stored one if the response says `no-store`.
  private func keep(
    _ response: Response, of request: Request, _ key: CacheKey, _ lifetime: Duration, requested: CacheInstant,
    since mark: UInt64
  ) async -> Bool {
    let control = CacheControl(response.head.headerFields.value(of: .cacheControl))
    guard !control.noStore else {
      // A response with no-store also removes what was stored before, except for a server error.
      if response.status.code < 500 { await storage.remove(.key(key)) }
      return false
    }
    let received = CacheInstant(time)
    guard
      let stored = StoringRule.stored(
        response, control, under: key, to: request, leavingOut: volatile, requested: requested,
        received: received, lifetime: lifetime, policy: policy)
    else { return false }
    return await storage.keep(
      stored, requestFields: request.head.headerFields, since: mark, at: received)
  }

  /// Whether a 304 matches the stored response: it has no entity tag, or the same one by weak comparison.
  private static func matches(_ head: HTTPResponse, _ stored: HTTPResponse) -> Bool {
    guard let tag = head.headerFields[.eTag], let storedTag = stored.headerFields[.eTag] else { return true }
    func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
    return opaque(tag) == opaque(storedTag)
  }

  private static func notStored(_ request: Request) -> NetworkError {
    let subject = request.context.api.map { "API \($0)" } ?? "this \(request.head.method.rawValue) request"
    return NetworkError(
      .notStored,
      "Nothing is stored for \(subject), and the call accepts only stored responses; load it with the mode "
        + "useFresh first.", attempt: request.attempt)
  }
}

extension Response {
  fileprivate func with(_ status: Exchange.CacheStatus) -> Response {
    var copy = self
    copy.cacheStatus = status
    return copy
  }
}
