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
  /// that was removed since the mark of the fetch is not used.
  func dispatch(
    _ request: Request, _ fetch: Fetch, _ next: some Dispatcher
  ) async throws(NetworkError) -> Response {
    guard let fallback = fetch.fallback else { return try await next.dispatch(request) }
    do throws(NetworkError) {
      let response = try await next.dispatch(request)
      guard StaleIfError.isFailure(response.status),
        let stale = stale(fallback, response.exchange, status: response.status.code, since: fetch.mark)
      else { return response }
      return try Self.delivered(stale.replacing(.response(response.head)), to: request)
    } catch {
      guard StaleIfError.isFailure(error), !Task.isCancelled,
        let stale = stale(fallback, Exchange(attempts: error.attempt), status: nil, since: fetch.mark)
      else { throw error }
      return try Self.delivered(stale.replacing(.error(error)), to: request)
    }
  }

  private func stale(
    _ fallback: StaleIfError, _ exchange: Exchange, status: Int?, since mark: UInt64
  ) -> Response? {
    let now = clock.now()
    let stored = fallback.stored
    guard let remaining = fallback.remaining(at: now),
      !storage.hasCleared(stored.key, tags: stored.tags, since: mark)
    else { return nil }
    var exchange = exchange
    exchange.cache = .staleOnError(status: status, ttl: CacheDecision.seconds(remaining))
    var response = stored.response(age: stored.freshness.age(at: now))
    response.exchange = exchange
    return response
  }

  /// Returns a stored response, if it is not longer than the request allows.
  ///
  /// - Throws: The error that the dispatcher throws in that case.
  static func delivered(_ response: Response, to request: Request) throws(NetworkError) -> Response {
    guard case .bytes(let bytes) = response.body else { return response }
    try checkLength(of: request, count: bytes.count, wasSent: response.exchange.attempts > 0)
    return response
  }

  /// Throws if a body is longer than a request allows.
  static func checkLength(of request: Request, count: Int, wasSent: Bool = false) throws(NetworkError) {
    let limit: Int64? =
      switch request.delivery {
      case .buffered(let limit): Int64(limit)
      case .streamed: request.options.streamLimit
      }
    guard let limit, count > limit else { return }
    throw .bodyTooLarge(limit: limit, requestMayHaveBeenProcessed: wasSent)
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

/// Decides whether a stale response is used because the server failed (RFC 5861, section 4).
///
/// The window is the longest of those that the stored response, the request and the API's rule state. There
/// is none if the stored response says `must-revalidate` or `no-cache`, or if the request demanded a response
/// that is current.
struct StaleIfError: Sendable {
  /// The stored response.
  let stored: StoredResponse
  private let window: Duration
  private let limit: Duration

  /// Creates the decision for a request; nil if there is no window.
  init?(
    _ stored: StoredResponse, rule: CacheRule, constraints: CachePlan.Constraints, sharing: CacheSharing
  ) {
    guard rule.mode == .useFresh, !constraints.demandsCurrent else { return nil }
    let control = stored.control(for: sharing)
    guard !control.forbidsStale else { return nil }
    window = max(
      control.staleIfError ?? .zero, constraints.staleIfError ?? .zero, rule.staleIfErrorWindow)
    guard window > .zero else { return nil }
    self.stored = stored
    limit = stored.freshness.limit(under: rule)
  }

  /// Returns the time for which the response remains fresh, usually negative; nil if it is too stale.
  func remaining(at now: CacheInstant) -> Duration? {
    guard let remaining = stored.freshness.remaining(at: now, limit: limit), .zero - remaining <= window
    else { return nil }
    return remaining
  }

  /// Whether a status stands for a failure of the server or of a gateway before it.
  static func isFailure(_ status: HTTPResponse.Status) -> Bool {
    [500, 502, 503, 504].contains(status.code)
  }

  /// Whether an error means that the server gave no usable response.
  ///
  /// A cancelled or invalid request is none, nor is a refusal by an interceptor, unless it can't complete the
  /// request for its departure, as while the token endpoint is down. A server that can't prove its identity
  /// is none either: the caller must learn of it.
  static func isFailure(_ error: NetworkError) -> Bool {
    switch error.kind {
    case .rejected: error.preventedDeparture
    case .offline, .resolve, .connect, .protocolViolation, .transport, .queueFull, .descriptorsExhausted:
      true
    case .timeout(let phase): phase != .call
    case .tls(let fault): fault == .handshake
    case .invalidRequest, .proxyAuthentication, .unsupported, .bodyNotReplayable, .bodyTooLarge,
      .needsLogin, .notStored, .cancelled:
      false
    }
  }
}
