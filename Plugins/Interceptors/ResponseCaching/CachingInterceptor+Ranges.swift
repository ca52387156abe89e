import HTTPTypes
import Interception
import Synchronization

extension CachingInterceptor {
  /// Responds with a range of what is stored, or forwards the request and stores the part that the server
  /// sends (RFC 9111, sections 3.3 and 3.4).
  ///
  /// A range that doesn't exist, and one whose condition doesn't hold for the stored response, is left to the
  /// server.
  func slice(
    _ request: Request, _ key: CacheKey, _ wanted: RangeRequest, _ constraints: CachePlan.Constraints,
    _ rule: CacheRule, _ next: some Dispatcher
  ) async throws -> Response {
    // Before the lookup, so that a response which is removed meanwhile is not stored again.
    let mark = storage.mark
    let found: StoreLookup =
      if rule.mode == .reload { .nothing } else {
        await storage.lookup(key, requestFields: request.head.headerFields, isForRange: true)
      }
    let now = clock.now()
    var reason: Exchange.CacheStatus.ForwardReason
    switch CacheDecision(
      stored: found.response, rule: rule, constraints: constraints, sharing: sharing, now: now)
    {
    case .use(let stored, let ttl, refreshes: false):
      let isWanted = wanted.condition.map(stored.satisfies) ?? true
      let exchange = Exchange(attempts: 0, cache: stored.hit(ttl: ttl))
      if isWanted,
        let part = try await stored.part(
          wanted.range, to: request, age: stored.freshness.age(at: now), exchange: exchange)
      {
        return try Self.delivered(part, to: request)
      }
      reason = .partial
    case .use(_, _, refreshes: true): reason = .stale
    case .revalidate(_, let why), .forward(let why): reason = why
    case .fail(let isStored): throw Self.notStored(request, isStale: isStored)
    case .refuse: return Self.unsatisfied
    }
    guard rule.mode != .onlyStored else { throw Self.notStored(request) }
    guard !constraints.onlyIfCached else { return Self.unsatisfied }
    if reason == .uriMiss, case .otherVariants = found { reason = .varyMiss }
    let fetch = Fetch(key: key, rule: rule, reason: reason, requested: now, mark: mark)
    return try await forward(request, fetch, next)
  }

  /// Stores a part, combined with what is stored of the same bytes; returns false if it isn't stored.
  func keepPart(_ response: Response, of request: Request, _ fetch: Fetch) async -> Bool {
    guard fetch.rule.isStated, case .bytes(let bytes) = response.body, ContentPart(response.head) != nil
    else {
      return false
    }
    let received = clock.arrival()
    let fields = request.head.headerFields
    let existing = await storage.lookup(fetch.key, requestFields: fields).response
    let isOutdated =
      if let validators = existing?.validators, let newer = Validators(response.head.headerFields) {
        validators.differ(from: newer)
      } else {
        false
      }
    let combined = existing?.combined(
      with: response.head, bytes, exchange: response.exchange, received: received.wall)
    // A complete response is worth more than a part, unless it is certainly out of date.
    let isReplaceable = existing?.isPart ?? true || isOutdated || combined != nil
    var whole = combined ?? response
    let control = CacheControl(whole.head.headerFields.value(of: .cacheControl)).applied(to: sharing)
    guard isReplaceable,
      let stored = StoringRule.stored(
        &whole, control, under: fetch.key, to: request, leavingOut: volatile, requested: fetch.requested,
        received: received, rule: fetch.rule)
    else {
      if isOutdated || combined != nil { await storage.discard(fetch.key) }
      return false
    }
    return await storage.keep(stored, requestFields: fields, since: fetch.mark, at: received)
  }

  /// Requests the rest of a stored part, and returns the whole.
  ///
  /// The server sends the rest only if its entity tag is still that of the part. If it sends anything that
  /// isn't the rest of the same bytes, the request is sent again without a range.
  func complete(
    _ part: StoredResponse, _ completion: Completion, _ request: Request, _ fetch: Fetch,
    _ next: some Dispatcher
  ) async throws(NetworkError) -> Response {
    var sent = request
    sent.head.headerFields[.range] = completion.rangeText
    sent.head.headerFields.append(completion.condition)
    let response = try await dispatch(sent, fetch, next)
    var plain = fetch
    plain.part = nil
    let isRefused = response.status == .rangeNotSatisfiable
    guard isRefused || response.status == .partialContent else {
      return await kept(response, of: request, fetch)
    }
    guard !isRefused, let whole = completion.whole(part, by: response, received: clock.now().wall) else {
      let tags = part.tags.union(request.context.cacheTags)
      plain.mark = await storage.replace(part.key, tags: tags, since: fetch.mark)
      return try await forward(request, plain, next)
    }
    return try Self.delivered(await kept(whole, of: request, plain), to: request)
  }
}

/// How a stored part is completed: by the one range that is missing, of the version that the part is of.
struct Completion: Sendable {
  /// The missing range.
  let missing: Range<Int>
  /// The length of the whole.
  let total: Int
  /// The `If-Range` with the entity tag of the part.
  let condition: HTTPField

  /// Creates the completion; nil if the part has no strong entity tag, or more than one range is missing.
  init?(of part: StoredResponse, for request: Request, _ rule: CacheRule) {
    guard rule.isStated, request.head.method == .get, let extent = part.extent,
      let missing = extent.missing, part.validators?.areStrong == true,
      let tag = part.head.headerFields[text: .eTag]?.bytes
    else { return nil }
    self.missing = missing
    total = extent.total
    condition = HTTPField(name: .ifRange, lenientValue: tag)
  }

  /// The value of `Range`.
  var rangeText: String {
    missing.upperBound == total
      ? "bytes=\(missing.lowerBound)-" : "bytes=\(missing.lowerBound)-\(missing.upperBound - 1)"
  }

  /// Returns the whole of a part and a 206 with the rest; nil if the 206 isn't the rest of the same content.
  func whole(_ part: StoredResponse, by rest: Response, received: WallTime) -> Response? {
    guard let (extent, restPart) = part.fitting(rest.head), restPart.bytes == missing else { return nil }
    switch rest.body {
    case .bytes(let bytes):
      return part.combined(with: rest.head, bytes, exchange: rest.exchange, received: received)
    case .stream(let stream):
      guard stream.length ?? Int64(missing.count) == Int64(missing.count), let source = try? stream.claim()
      else { return nil }
      let isFirst = extent.bytes.lowerBound == 0
      let joined = JoinedByteSource(
        source, count: missing.count, before: isFirst ? part.body : [], after: isFirst ? [] : part.body)
      let head = part.combinedHead(
        with: rest.head, ContentPart(bytes: 0..<total, total: total), received: received)
      return Response(
        head, body: .stream(BodyStream(length: Int64(total), ending: stream.ending, joined)),
        exchange: rest.exchange)
    }
  }
}

/// A source with stored bytes before or after it.
final class JoinedByteSource: ByteSource {
  private struct State {
    /// The bytes before; nil once they were read.
    var before: [UInt8]?
    /// The bytes after; nil once they were read.
    var after: [UInt8]?
    /// How many bytes of the source were read.
    var count = 0
  }

  private let source: any ByteSource
  private let count: Int
  private let state: Mutex<State>

  /// Creates a source.
  ///
  /// - Parameter count: The number of bytes that the source must have.
  init(_ source: any ByteSource, count: Int, before: [UInt8], after: [UInt8]) {
    self.source = source
    self.count = count
    state = Mutex(State(before: before.isEmpty ? nil : before, after: after.isEmpty ? nil : after))
  }

  func read() async throws(NetworkError) -> [UInt8]? {
    if let before = state.withLock({ $0.before.take() }) { return before }
    if state.withLock({ $0.count < count }), let chunk = try await source.read() {
      let total = state.withLock { state in
        state.count += chunk.count
        return state.count
      }
      guard total <= count else { throw wrongLength(total) }
      return chunk
    }
    // Its report is complete once the source was read completely.
    if let surplus = try await source.read(), !surplus.isEmpty { throw wrongLength(count + surplus.count) }
    let read = state.withLock { $0.count }
    guard read == count else { throw wrongLength(read) }
    return state.withLock { $0.after.take() }
  }

  func cancel() {
    state.withLock { ($0.before, $0.after) = (nil, nil) }
    source.cancel()
  }

  private func wrongLength(_ read: Int) -> NetworkError {
    NetworkError(
      .protocolViolation,
      "The server sent \(read) bytes of the range that completes a stored response, instead of \(count).",
      requestMayHaveBeenProcessed: true)
  }
}
