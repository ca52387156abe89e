import HTTPTypes
import Interception

extension CachingInterceptor {
  /// Returns a response whose stream is stored when the caller has read it completely; nil for any other
  /// response.
  ///
  /// The bytes are collected while the caller reads, up to the store's maximum for one response, and to a
  /// limit for all streams at once, beyond which a response is passed on and not stored. A read that
  /// is cancelled or fails stores nothing, nor does a body that is shorter or longer than announced.
  func storedWhileRead(
    _ response: Response, of request: Request, _ key: CacheKey, _ rule: CacheRule,
    replacing former: StoredResponse?, requested: CacheInstant, since mark: UInt64
  ) async -> Response? {
    guard case .stream(let stream) = response.body else { return nil }
    let control = CacheControl(response.head.headerFields.value(of: .cacheControl)).applied(to: sharing)
    let (limit, length) = (storage.maximumResponseBytes, stream.length)
    guard length.map({ $0 <= Int64(limit) }) ?? true,
      StoringRule.permits(response.head, control, to: request, received: CacheInstant(time), rule),
      let source = try? stream.claim()
    else { return nil }
    let recent = storage.mark
    guard !storage.hasCleared(key, tags: request.context.cacheTags, since: mark) else {
      return response.replacingBody(by: source, of: stream)
    }
    var since = mark
    if former != nil || rule.mode == .reload, StoringRule.supersedes(response, to: request) {
      await storage.remove(.key(key))
      // This removal is no reason not to store the stream; any other one since `recent` is.
      since = recent + 1
    }
    let collecting = CollectingByteSource(
      source, length: length.map { Int($0) }, limit: limit, budget: storage.collected
    ) { [since] bytes in
      guard length.map({ $0 == Int64(bytes.count) }) ?? true else { return }
      let whole = Response(
        response.head, body: .bytes(bytes), trailers: stream.ending.trailers, exchange: response.exchange)
      _ = await keep(whole, of: request, key, rule, replacing: nil, requested: requested, since: since)
    }
    return response.replacingBody(by: collecting, of: stream)
  }
}

extension Response {
  /// Returns the response with another source for its stream.
  fileprivate func replacingBody(by source: some ByteSource, of stream: BodyStream) -> Response {
    var copy = self
    copy.body = .stream(BodyStream(length: stream.length, ending: stream.ending, source))
    return copy
  }
}
