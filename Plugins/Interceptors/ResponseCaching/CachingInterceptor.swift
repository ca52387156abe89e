import HTTPTypes
public import Interception

/// Answers from what is stored while it is fresh, asks the server to confirm what is not, and stores what
/// comes.
///
/// It does nothing unless a request's `cacheRule` turns caching on. What an API declares to be fresh for a
/// time is answered without the server for that time, or for less where the answer says less, see
/// ``Freshness``; a stale answer with an `ETag` or a `Last-Modified` is confirmed by a 304, which the caller
/// sees as the whole answer. GET, HEAD and QUERY are cached, and POST where the request names its API.
/// Requests with conditions, a `Range` or `no-store` of their own, and content that is not in memory, bypass
/// it; so do answers that are streamed. With ``CachePolicy/stated`` it is a private HTTP cache instead, which
/// goes by what answers state.
///
/// ```swift
/// let cache = CachingInterceptor()
/// request.context.cacheRule = .timed(.seconds(60))
/// request.context.partition = account.id
/// // at log-out
/// await cache.wipe(partition: account.id)
/// ```
///
/// Answers of one partition are never given to another one; where no partition is named, requests with
/// different `Authorization` or `Cookie` fields don't share either. A non-error answer to PUT, POST, DELETE,
/// PATCH or an unknown method removes what is stored for its target, for everybody (RFC 9111, section 4.4);
/// so does a failure after which the server may have acted.
///
/// Two identical misses at the same time both reach the server: an interceptor of stage `sharing` joins them.
/// `response.exchange.cache` tells what happened, always.
public struct CachingInterceptor: Interceptor {
  /// At stage `caching`; it calls `next` twice when a 304 confirms something that is not stored.
  public let traits = InterceptorTraits(stage: .caching, callsNext: .anyNumber)
  let shelf: CacheShelf
  let volatile: VolatileParts
  let policy: CachePolicy
  private let time: TimeSource

  /// Makes a cache over a store.
  ///
  /// - Parameters:
  ///   - store: Where answers are kept; 16 MiB of memory by default.
  ///   - volatile: What the key leaves out of a request.
  ///   - policy: Whose word counts for how long an answer is good.
  ///   - time: The clocks that answers age by.
  public init(
    store: any ResponseStore = MemoryStore(), volatile: VolatileParts = .standard,
    policy: CachePolicy = .declared, time: TimeSource = .system
  ) {
    shelf = CacheShelf(store)
    self.volatile = volatile
    self.policy = policy
    self.time = time
  }

  /// Answers from the store, or asks the server and stores its answer.
  ///
  /// - Throws: `NetworkError.Kind.notStored` in mode `onlyStored` when nothing is stored; otherwise what
  ///   `next` throws.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    let context = request.context
    let rule = context.cacheRule
    let plan = CachePlan.made(for: request, context, policy, leavingOut: volatile)
    guard case .consult(let key, let lifetime, let constraints) = plan else {
      return try await aside(request, plan, next)
    }
    // What is not looked up is not brought into memory.
    let stored: StoredResponse?
    if rule.mode == .reload {
      stored = nil
    } else if let memory = shelf.memory {
      stored = memory.answer(for: key, requestFields: request.head.headerFields)
    } else {
      stored = await shelf.response(for: key, requestFields: request.head.headerFields)
    }
    let now = CacheMoment(time)
    let decision = CacheDecision(
      stored: stored, mode: rule.mode, lifetime: lifetime, constraints: constraints, now: now)
    switch decision {
    case .answer(let stored, let ttl, let needsNews):
      if needsNews { refresh(stored, request, lifetime, requested: now, next) }
      return stored.response(
        age: stored.freshness.age(at: now), exchange: Exchange(attempts: 0, cache: .hit(ttl: ttl)))
    case .confirm(let stored, let reason):
      return try await confirming(stored, request, lifetime, reason, requested: now, next)
    case .forward(let reason):
      return try await forwarding(request, key, lifetime, reason, requested: now, next)
    case .fail:
      throw Self.notStored(request)
    }
  }

  /// Does what is to be done with a request that is not simply looked up.
  private func aside(_ request: Request, _ plan: CachePlan, _ next: some Dispatcher) async throws -> Response
  {
    if let part = await part(of: request, plan) { return part }
    guard request.context.cacheRule.mode != .onlyStored else { throw Self.notStored(request) }
    return try await passing(request, plan, next)
  }

  /// Answers with a part of what is stored, where that is what the request is about, and fresh.
  private func part(of request: Request, _ plan: CachePlan) async -> Response? {
    let mode = request.context.cacheRule.mode
    guard case .slice(let key, let range, let lifetime, let constraints) = plan, mode != .reload,
      let stored = await shelf.response(for: key, requestFields: request.head.headerFields)
    else { return nil }
    let now = CacheMoment(time)
    let decision = CacheDecision(
      stored: stored, mode: mode, lifetime: lifetime, constraints: constraints, now: now)
    guard case .answer(let stored, let ttl, needsNews: false) = decision else { return nil }
    return stored.part(
      range, age: stored.freshness.age(at: now), exchange: Exchange(attempts: 0, cache: .hit(ttl: ttl)))
  }

  /// Hands a request on that the cache has no part in, and removes what an unsafe one has made obsolete.
  private func passing(_ request: Request, _ plan: CachePlan, _ next: some Dispatcher) async throws
    -> Response
  {
    guard case .invalidate(let target) = plan else {
      return try await next.dispatch(request).with(.forwarded(.bypass, stored: false))
    }
    do throws(NetworkError) {
      let response = try await next.dispatch(request)
      if (200..<400).contains(response.status.code) { await shelf.remove(.target(target)) }
      return response.with(.forwarded(.bypass, stored: false))
    } catch {
      if error.requestMayHaveBeenProcessed { await shelf.remove(.target(target)) }
      throw error
    }
  }

  /// Asks the server for its answer, and stores it.
  func forwarding(
    _ request: Request, _ key: CacheKey, _ lifetime: Duration, _ reason: CacheStatus.ForwardReason,
    requested: CacheMoment, _ next: some Dispatcher
  ) async throws -> Response {
    let mark = shelf.mark
    let response = try await next.dispatch(request)
    let isStored = await keep(response, of: request, key, lifetime, requested: requested, since: mark)
    return response.with(.forwarded(reason, stored: isStored))
  }

  /// Asks the server to confirm what is stored, and takes whatever it answers.
  func confirming(
    _ stored: StoredResponse, _ request: Request, _ lifetime: Duration, _ reason: CacheStatus.ForwardReason,
    requested: CacheMoment, _ next: some Dispatcher
  ) async throws -> Response {
    let mark = shelf.mark
    var conditional = request
    conditional.head.headerFields[.ifNoneMatch] = stored.validators?.entityTag
    conditional.head.headerFields[.ifModifiedSince] = stored.validators?.lastModified
    let response = try await next.dispatch(conditional)
    guard response.status == .notModified else {
      let isStored = await keep(
        response, of: request, stored.key, lifetime, requested: requested, since: mark)
      return response.with(.forwarded(reason, stored: isStored))
    }
    guard Self.confirms(response.head, stored.head) else {
      // The 304 is about something else than what is stored (RFC 9111, section 4.3.4): ask without a
      // condition.
      await shelf.remove(.key(stored.key))
      return try await forwarding(
        request, stored.key, lifetime, reason, requested: CacheMoment(time), next)
    }
    let head = HTTPResponse(
      status: stored.head.status,
      headerFields: stored.head.headerFields.updated(by: response.head.headerFields))
    let whole = Response(
      head, body: .bytes(stored.body), trailers: stored.trailers, exchange: response.exchange)
    _ = await keep(whole, of: request, stored.key, lifetime, requested: requested, since: mark)
    return whole.with(.revalidated)
  }

  /// Stores an answer where it may be stored; removes what was stored where it says so.
  private func keep(
    _ response: Response, of request: Request, _ key: CacheKey, _ lifetime: Duration, requested: CacheMoment,
    since mark: UInt64
  ) async -> Bool {
    let control = CacheControl(response.head.headerFields.value(of: .cacheControl))
    guard !control.noStore else {
      // What was stored before an answer that forbids it is not wanted either; a server in trouble decides
      // nothing.
      if response.status.code < 500 { await shelf.remove(.key(key)) }
      return false
    }
    let received = CacheMoment(time)
    guard
      let stored = StoringRule.stored(
        response, control, under: key, to: request, leavingOut: volatile, requested: requested,
        received: received, lifetime: lifetime, policy: policy)
    else { return false }
    return await shelf.keep(
      stored, requestFields: request.head.headerFields, since: mark, at: received)
  }

  /// Whether a 304 is about the stored answer: it has no entity tag, or the same one by weak comparison.
  private static func confirms(_ head: HTTPResponse, _ stored: HTTPResponse) -> Bool {
    guard let tag = head.headerFields[.eTag], let storedTag = stored.headerFields[.eTag] else { return true }
    func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
    return opaque(tag) == opaque(storedTag)
  }

  private static func notStored(_ request: Request) -> NetworkError {
    let subject = request.context.api.map { "API \($0)" } ?? "this \(request.head.method.rawValue) request"
    return NetworkError(
      .notStored,
      "Nothing is stored for \(subject), and the call takes stored answers only; load it with the mode "
        + "useFresh first.", attempt: request.attempt)
  }
}

extension Response {
  fileprivate func with(_ status: CacheStatus) -> Response {
    var copy = self
    copy.exchange.cache = status
    return copy
  }
}
