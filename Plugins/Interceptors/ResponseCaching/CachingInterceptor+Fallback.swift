import HTTPTypes
import Interception

extension CachingInterceptor {
  /// Returns how a stored response may be used if the server fails; nil if not at all.
  func fallback(
    _ stored: StoredResponse, _ rule: CacheRule, _ constraints: CachePlan.Constraints
  ) -> StaleIfError? {
    StaleIfError(stored, rule: rule, constraints: constraints, sharing: sharing)
  }

  /// Sends a request; returns the stored response in place of a failure, if it may be used.
  ///
  /// The result then has a `replacedFailure`, by which a retry decides: it sends the request again as it
  /// would after the failure itself, so that only its last attempt ends with the stored response. A response
  /// that was removed since a mark is not used.
  func dispatch(
    _ request: Request, _ fallback: StaleIfError?, since mark: UInt64, _ next: some Dispatcher
  ) async throws(NetworkError) -> Response {
    guard let fallback else { return try await next.dispatch(request) }
    do throws(NetworkError) {
      let response = try await next.dispatch(request)
      guard StaleIfError.isFailure(response.status),
        let stale = stale(fallback, response.exchange, status: response.status.code, since: mark)
      else { return response }
      return try Self.delivered(stale.replacing(.response(response.head)), to: request)
    } catch {
      guard StaleIfError.isFailure(error), !Task.isCancelled,
        let stale = stale(fallback, Exchange(attempts: error.attempt), status: nil, since: mark)
      else { throw error }
      return try Self.delivered(stale.replacing(.error(error)), to: request)
    }
  }

  private func stale(
    _ fallback: StaleIfError, _ exchange: Exchange, status: Int?, since mark: UInt64
  ) -> Response? {
    let now = CacheInstant(time)
    let stored = fallback.stored
    guard let remaining = fallback.remaining(at: now),
      !storage.hasCleared(stored.key, tags: stored.tags, since: mark)
    else { return nil }
    var exchange = exchange
    exchange.cache = .staleOnError(status: status, ttl: CacheDecision.seconds(remaining))
    return stored.response(age: stored.freshness.age(at: now), exchange: exchange)
  }

  /// Returns a stored response, if it is not longer than the request allows.
  ///
  /// - Throws: The error that the dispatcher throws in that case.
  static func delivered(_ response: Response, to request: Request) throws(NetworkError) -> Response {
    let limit: Int64? =
      switch request.options.delivery {
      case .buffered(let limit): Int64(limit)
      case .streamed: request.options.streamLimit
      }
    guard let limit, case .bytes(let bytes) = response.body, bytes.count > limit else { return response }
    throw .bodyTooLarge(limit: limit, requestMayHaveBeenProcessed: response.exchange.attempts > 0)
  }

  /// The response to a request with `only-if-cached` for which nothing suitable is stored (RFC 9111, section
  /// 5.2.1.7).
  static var unsatisfied: Response {
    Response(HTTPResponse(status: .gatewayTimeout), exchange: Exchange(attempts: 0, cache: .unsatisfied))
  }
}

extension Response {
  fileprivate func replacing(_ failure: ReplacedFailure) -> Response {
    var copy = self
    copy.replacedFailure = failure
    return copy
  }
}
