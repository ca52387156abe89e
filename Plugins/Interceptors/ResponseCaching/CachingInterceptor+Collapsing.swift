import HTTPTypes
import Interception
import RequestFlights

extension CachingInterceptor {
  /// Fetches a response, and shares it with equal requests that arrive meanwhile (RFC 9111, section 4).
  ///
  /// Requests are equal if they have the same key and the same header fields, but for the volatile ones, so
  /// that neither credentials nor a `Vary` tell them apart. A request that demands a response from the
  /// server doesn't wait for one that was demanded before.
  func run(
    _ fetch: Fetch, for request: Request, _ next: some Dispatcher
  ) async throws(NetworkError) -> Response {
    let key = fetch.key
    let fetching = Fetching(cache: self, fetch: fetch, next: next)
    guard fetch.reason != .request, !storage.isCollapsingUseless(for: key),
      let flight = FlightKey(
        request, for: key.preimage, digest: Int(truncatingIfNeeded: key.digest),
        ignoring: { [volatile] in volatile.contains($0) })
    else { return try await fetching.dispatch(request) }
    let (response, hasJoined) = try await storage.flights.response(to: flight, next: fetching)
    guard hasJoined else { return response }
    if canCollapse(response, to: request, fetch) {
      return response.with(.forwarded(fetch.reason, stored: false, collapsed: true))
    }
    storage.noteUselessCollapsing(for: key)
    return try await fetching.dispatch(request)
  }

  private func canCollapse(_ response: Response, to request: Request, _ fetch: Fetch) -> Bool {
    // Whether a stale response may replace a failure is decided for each request, by its attempt.
    response.replacedFailure == nil
      && CollapsedUse.permits(
        response, to: request, rule: fetch.rule, sharing: sharing, now: clock.now())
  }

  /// Fetches the response for a key as a dispatcher, which a flight calls once for all its requests.
  private struct Fetching<Next: Dispatcher>: Dispatcher {
    let cache: CachingInterceptor
    let fetch: Fetch
    let next: Next

    func dispatch(_ request: Request) async throws(NetworkError) -> Response {
      let response = try await cache.forward(request, fetch, next)
      // The response's directives are parsed again only for a key that is noted as useless, which few are.
      if cache.storage.isCollapsingUseless(for: fetch.key), cache.canCollapse(response, to: request, fetch) {
        cache.storage.noteUsefulCollapsing(for: fetch.key)
      }
      return response
    }
  }
}

/// How a response that can't be taken from the store is obtained from the server.
struct Fetch: Sendable {
  /// The key under which the response is stored.
  let key: CacheKey
  /// The stored response, which the server confirms or replaces.
  var stored: StoredResponse?
  /// The stored part of the response, which can't be used as it is.
  var part: StoredResponse?
  /// Whether the request has the conditions of the stored response.
  var isConditional = false
  /// The stored response to use if the server fails.
  var fallback: StaleIfError?
  /// The rule that applies to the request.
  let rule: CacheRule
  /// Why the request is forwarded.
  let reason: Exchange.CacheStatus.ForwardReason
  /// When the request was forwarded.
  let requested: CacheInstant
  /// The mark of the removals before the lookup.
  var mark: UInt64

  /// Whether a response may have been stored; a reload doesn't look it up.
  var mayReplace: Bool { stored != nil || part != nil || rule.mode == .reload }
}

/// Decides whether a response may be used for equal requests that waited for it (RFC 9111, section 4).
///
/// A response that is fresh may, whether it was stored or not: a store may have declined it for its size. So
/// may an error, because each of the equal requests would fail as well, and a server in trouble would get
/// all of them at once. A response that must not be stored, or not be used again without asking the server,
/// may not, and neither may a refusal of credentials, which the next attempt may have renewed.
enum CollapsedUse {
  static func permits(
    _ response: Response, to request: Request, rule: CacheRule, sharing: CacheSharing, now: CacheInstant
  ) -> Bool {
    let head = response.head
    guard case .bytes = response.body else { return false }
    switch head.status.code {
    case ..<200, 206, 304, 401, 407: return false
    default: break
    }
    let control = CacheControl(head.headerFields.value(of: .cacheControl)).applied(to: sharing)
    guard !StoringRule.forbids(control, head.status, request), !control.noCache,
      !selectsNothing(head.headerFields)
    else { return false }
    if head.status.code >= 400 { return !head.headerFields.contains(.setCookie) }
    // The age of a response that has just arrived is that at its arrival.
    return Freshness(
      of: head, control, requested: now, received: now, rule: rule,
      isEstimable: request.permitsHeuristicLifetime
    ).lifetime > .zero
  }

  /// Whether the response's `Vary` contains `*`, which no other request matches.
  private static func selectsNothing(_ fields: HTTPFields) -> Bool {
    fields.members(of: .vary).contains("*")
  }
}
