import HTTPTypes
public import Interception

/// Serves fresh stored responses, revalidates stale ones, and stores new ones.
///
/// It does nothing unless a request's `cacheRule` or the default rule enables caching. A response is then
/// served without contacting the server for the lifetime that the API declares, or for less if the response
/// says so. A stale response with an `ETag` or a `Last-Modified` is revalidated; on a
/// 304 the caller gets the complete response. GET, HEAD and QUERY are cached, and POST if the request names
/// its API. Requests with conditions or `no-store`, and request bodies that are not in memory, bypass the
/// cache. A streamed response is stored when the caller has read it completely. With
/// `CacheRule.stated(limit:heuristic:)` it is instead a private HTTP cache that follows the header fields of
/// responses, serves a `Range` from a stored response, and stores parts; under another rule a request with a
/// `Range` bypasses it.
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
/// If the server fails, a stale response is used for as long as the response or
/// `CacheRule.staleIfError(for:)` allows, but only after the last attempt of a retry; `Exchange.cache` says
/// how stale it is. A request's own `max-stale`, `min-fresh` and `only-if-cached` are obeyed; the last one
/// gets a 504 if nothing suitable is stored. In a server that responds to many users, create the cache with
/// `isShared`.
///
/// Concurrent equal requests whose response is not stored are one request to the server. The others get its
/// response, or its error, if the response may be used for them: it is fresh, or an error. Cancelling one of
/// them ends its own wait only; if it was the one that was sent, another one is sent in its place.
/// `response.exchange.cache` always reports what the cache did.
public struct CachingInterceptor: FlightSharing, LastingKeeper {
  /// At stage `caching`; calls `next` again if a 304 doesn't match the stored response.
  public let traits = InterceptorTraits(stage: .caching, callsNext: .anyNumber)
  package var sharedFlights: any SharedFlights { storage.flights }
  package var keepsBeyondProcess: Bool { !storage.isMemoryOnly }
  let storage: CacheStorage
  let volatile: VolatileParts
  let defaultRule: CacheRule
  let schema: String
  let sharing: CacheSharing
  let clock: CacheClock
  var recorder: CacheRecorder?

  /// Creates a cache with a store in memory, with another one, or with one over the other.
  ///
  /// ```swift
  /// let cache = CachingInterceptor(memory: MemoryStore(), store: disk)
  /// ```
  ///
  /// In two stores a response is stored twice, a sensitive one in memory only: see
  /// `CacheRule.inMemoryOnly()`. A hit in memory doesn't wait for the slower store, and a hit there is copied
  /// into memory. A removal removes from both before it returns.
  ///
  /// - Parameters:
  ///   - memory: The store that is looked up first; nil by default.
  ///   - store: The store that is looked up if nothing is found in memory, usually on a disk. Without both
  ///     stores the cache has 16 MiB of memory.
  ///   - volatile: The parts of a request that the key leaves out.
  ///   - defaultRule: The rule for requests that name none, such as `.stated()` for all that responses
  ///     state; off by default.
  ///   - schema: The version of what the app reads from responses, such as its own version. It is part of
  ///     the key, so that a new version never gets the responses stored for another one. The version of a
  ///     service is part of its URLs.
  ///   - isShared: Whether the cache serves many users, who get each other's responses, as that of a server
  ///     or a gateway, and not one, as that of an app (RFC 9111, section 1).
  ///
  ///     Then `s-maxage` and `proxy-revalidate` are obeyed, and `private` forbids to store. A response to a
  ///     request with `Authorization` is stored only if it says `public`, `must-revalidate` or `s-maxage`
  ///     (section 3.5). The credentials of a request are not part of the key: an origin server whose
  ///     responses depend on them must say so by these directives or by `Vary`. Partitions are kept apart as
  ///     in a private cache.
  ///   - time: The clocks that determine the age of responses.
  ///   - recorder: Records the requests for a ``CacheAdvice``; nil by default.
  public init(
    memory: MemoryStore? = nil, store: (any ResponseStore)? = nil, volatile: VolatileParts = .standard,
    defaultRule: CacheRule = .off, schema: String = "", isShared: Bool = false,
    time: TimeSource = .system, recorder: CacheRecorder? = nil
  ) {
    storage = CacheStorage(memory: memory, store: store)
    self.volatile = volatile
    self.defaultRule = defaultRule
    self.schema = schema
    sharing = isShared ? .shared : .private
    clock = CacheClock(time)
    self.recorder = recorder
  }

  /// Responds from the store, or forwards the request and stores the response.
  ///
  /// A hit from disk goes this way, each step of which is taken once:
  ///
  /// 1. `CachePlan` reads the header fields of the request, and forms its key. A request that isn't looked up
  ///    takes another way from here.
  /// 2. `CacheStorage` looks into memory, which doesn't suspend, and then asks the store on the disk. On a
  ///    thread of Swift's pool `SQLiteResponseStore` selects the rows of the key, verifies their checksums
  ///    and takes the newest one that matches the request's header fields. The response is copied into
  ///    memory, unless `RemovalLedger` says that it was removed or replaced meanwhile: it is then looked up
  ///    again.
  /// 3. `CacheDecision` decides whether it is used, from the response, the rule, the request and the time.
  /// 4. The caller gets it with its `Age`, or a 504, or an error. Otherwise a `Fetch` says how the request is
  ///    forwarded: with or without a condition, joined with equal ones or not.
  ///
  /// - Throws: `NetworkError.Kind.notStored` in mode `onlyStored` if nothing is stored that may be used, and
  ///   `NetworkError.Kind.bodyTooLarge(limit:)` if a stored body is longer than the request's `delivery`
  ///   allows; otherwise what `next` throws.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    // An interceptor before the cache may have led the request to one that is limited, and adds credentials.
    let request = (request.hasPendingLogin ? request.identified(over: next) : request)
      .identifiedBySignature(leavingOut: volatile)
    let context = request.context
    let rule = context.cacheRule.resolved(by: defaultRule)
    let plan = CachePlan.made(
      for: request, context, rule, schema: schema, sharing: sharing, leavingOut: volatile)
    guard case .consult(let key, let constraints) = plan else {
      return try await handleUncached(request, rule, plan, next)
    }
    // Before the lookup, so that a response which is removed meanwhile is not stored again.
    let mark = storage.mark
    let found: StoreLookup =
      if rule.mode == .reload { .nothing } else {
        await storage.lookup(key, requestFields: request.head.headerFields)
      }
    let now = clock.now()
    // A part answers no request for the whole; it can only be completed.
    let isPart = found.response?.isPart == true
    let stored = isPart ? nil : found.response
    let decision = CacheDecision(
      stored: stored, rule: rule, constraints: constraints, sharing: sharing, now: now)
    switch decision {
    case .use(let stored, let ttl, let refreshes):
      recorder?.recordHit(stored, at: now)
      if refreshes { refresh(stored, request, rule, requested: now, since: mark, next) }
      return try Self.delivered(
        stored.response(age: stored.freshness.age(at: now), cache: stored.hit(ttl: ttl)), to: request)
    case .revalidate(let stored, let reason):
      let fetch = Fetch(
        key: key, stored: stored, isConditional: true, fallback: fallback(stored, rule, constraints),
        rule: rule, reason: reason, requested: now, mark: mark)
      return try await run(fetch, for: request, next)
    case .forward(var reason):
      if reason == .uriMiss, case .otherVariants = found { reason = .varyMiss }
      if reason == .uriMiss, isPart { reason = .partial }
      let fetch = Fetch(
        key: key, stored: stored, part: isPart ? found.response : nil,
        fallback: stored.flatMap { fallback($0, rule, constraints) }, rule: rule, reason: reason,
        requested: now, mark: mark)
      return try await run(fetch, for: request, next)
    case .fail(let isStored):
      throw Self.notStored(request, isStale: isStored)
    case .refuse:
      return Self.unsatisfied
    }
  }

  /// Sends the request, with the conditions of the stored response if the fetch says so, and stores the
  /// response.
  func forward(
    _ request: Request, _ fetch: Fetch, _ next: some Dispatcher
  ) async throws(NetworkError) -> Response {
    if let part = fetch.part, let completion = Completion(of: part, for: request, fetch.rule) {
      return try await complete(part, completion, request, fetch, next)
    }
    var sent = request
    if fetch.isConditional {
      let validators = fetch.stored?.validators
      sent.head.headerFields[text: .ifNoneMatch] = validators?.entityTag
      sent.head.headerFields[.ifModifiedSince] = validators?.lastModified
    }
    let response = try await dispatch(sent, fetch, next)
    guard response.replacedFailure == nil else { return response }
    guard fetch.isConditional, let stored = fetch.stored, response.status == .notModified else {
      return await kept(response, of: request, fetch)
    }
    return try await confirm(stored, by: response, to: request, fetch, next)
  }

  /// Stores a response that the server sent, at once or while it is read, and returns it with what was done.
  func kept(_ response: consuming Response, of request: Request, _ fetch: Fetch) async -> Response {
    if let streamed = await storedWhileRead(response, of: request, fetch) {
      return streamed.with(.forwarded(fetch.reason, stored: false))
    }
    let isStored = await keep(&response, of: request, fetch)
    return response.with(.forwarded(fetch.reason, stored: isStored))
  }

  /// Returns the stored response with the header fields of a 304, and stores it again.
  private func confirm(
    _ stored: StoredResponse, by response: Response, to request: Request, _ fetch: Fetch,
    _ next: some Dispatcher
  ) async throws(NetworkError) -> Response {
    if let validators = stored.validators, let confirming = Validators(response.head.headerFields),
      !confirming.confirm(validators)
    {
      // The 304 refers to another response than the stored one (RFC 9111, section 4.3.4), so the request is
      // sent again without a condition.
      let tags = stored.tags.union(request.context.cacheTags)
      let mark = await storage.replace(stored.key, tags: tags, since: fetch.mark)
      let again = Fetch(
        key: fetch.key, rule: fetch.rule, reason: fetch.reason, requested: clock.now(), mark: mark)
      return try await forward(request, again, next)
    }
    let fields = stored.head.headerFields.updated(
      by: response.head.headerFields, received: clock.now().wall)
    var whole = Response(
      HTTPResponse(status: stored.head.status, headerFields: fields), body: .bytes(stored.body),
      trailers: stored.trailers, exchange: response.exchange)
    let isStored = await keep(&whole, of: request, fetch)
    return try Self.delivered(whole.with(.revalidated(fetch.reason, stored: isStored)), to: request)
  }

  /// Stores a response if allowed, and otherwise removes the stored one if the response supersedes it.
  func keep(_ response: inout Response, of request: Request, _ fetch: Fetch) async -> Bool {
    guard response.status != .partialContent else { return await keepPart(response, of: request, fetch) }
    let control = CacheControl(response.head.headerFields.value(of: .cacheControl)).applied(to: sharing)
    let received = clock.arrival()
    let stored = StoringRule.stored(
      &response, control, under: fetch.key, to: request, leavingOut: volatile, requested: fetch.requested,
      received: received, rule: fetch.rule)
    recorder?.recordMiss(fetch.key, stored: stored, at: received)
    guard let stored else {
      if fetch.mayReplace, StoringRule.supersedes(response, to: request) {
        await storage.discard(fetch.key)
      }
      return false
    }
    return await storage.keep(
      stored, requestFields: request.head.headerFields, since: fetch.mark, at: received)
  }

  static func notStored(_ request: Request, isStale: Bool = false) -> NetworkError {
    let subject = request.context.api.map { "API \($0)" } ?? "this \(request.head.method.rawValue) request"
    guard !isStale else {
      return NetworkError(
        .notStored,
        "The stored response for \(subject) is stale and must be revalidated, as its Cache-Control says, and the "
          + "call accepts only stored responses; load it with the mode useFresh.", attempt: request.attempt)
    }
    return NetworkError(
      .notStored,
      "Nothing is stored for \(subject), and the call accepts only stored responses; load it with the mode "
        + "useFresh first.", attempt: request.attempt)
  }
}

extension Response {
  func with(_ status: Exchange.CacheStatus) -> Response {
    var copy = self
    copy.cacheStatus = status
    return copy
  }
}
