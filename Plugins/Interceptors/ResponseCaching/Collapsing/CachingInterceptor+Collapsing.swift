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
    _ fetch: Fetch, for request: Request, _ key: CacheKey, _ next: some Dispatcher
  ) async throws(NetworkError) -> Response {
    let fetching = Fetching(cache: self, fetch: fetch, key: key, next: next)
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
        response, to: request, rule: fetch.rule, sharing: sharing, now: CacheInstant(time))
  }

  /// Fetches the response for one key as a dispatcher, which a flight calls once for all its requests.
  private struct Fetching<Next: Dispatcher>: Dispatcher {
    let cache: CachingInterceptor
    let fetch: Fetch
    let key: CacheKey
    let next: Next

    func dispatch(_ request: Request) async throws(NetworkError) -> Response {
      let response: Response
      if let stored = fetch.stored, fetch.isConditional {
        response = try await cache.revalidate(
          stored, request, fetch.rule, fetch.reason, fallback: fetch.fallback, requested: fetch.requested,
          since: fetch.mark, next)
      } else {
        response = try await cache.forward(
          request, key, fetch.rule, fetch.reason, replacing: fetch.stored, fallback: fetch.fallback,
          requested: fetch.requested, since: fetch.mark, next)
      }
      if cache.canCollapse(response, to: request, fetch) { cache.storage.noteUsefulCollapsing(for: key) }
      return response
    }
  }
}
