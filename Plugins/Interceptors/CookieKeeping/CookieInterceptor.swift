import HTTPTypes
public import Interception

/// Sends the cookies that belong to a request, and keeps those that its response sets (RFC 6265bis).
///
/// Use it for servers that track sessions with cookies. Don't use it for an API with tokens, which belong in
/// `Authorization`. Without it, `Set-Cookie` is a field like any other, and nothing is kept.
///
/// ```swift
/// let cookies = CookieStore()
/// let pipeline = try Pipeline(over: CurlDispatcher()) { CookieInterceptor(cookies) }
/// ```
///
/// It stands at stage `cookies`, after redirects and retry, so that each hop and each attempt has the cookies
/// that the previous one set, and before signing and caching, which cover the field.
///
/// A request with a `Cookie` field of its own is sent as it is; the cookies of its response are kept. Those
/// of a response that was stored in a cache are not: they were kept when it was received.
///
/// Cookies are refused silently, as RFC 6265bis prescribes: for foreign domains and public suffixes, from
/// http if they are `Secure` or would hide one that is, with control characters, with more than 4,096 bytes,
/// and against the prefixes `__Secure-` and `__Host-`. Without a list of ``PublicSuffixes``, a cookie is sent
/// only to the host that set it. A `Cookie` field has at most 16 KiB. `SameSite` has no effect, because no
/// page of another site sends the app's requests.
public struct CookieInterceptor: Interceptor {
  /// At stage `cookies`; calls `next` once.
  public let traits = InterceptorTraits(stage: .cookies)
  private let store: CookieStore

  /// Creates an interceptor with a store, in memory by default.
  public init(_ store: CookieStore = CookieStore()) { self.store = store }

  /// Sends the request with its cookies, and keeps those of the response.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    let response = try await next.dispatch(store.isEmpty ? request : store.attached(to: request))
    guard response.head.headerFields.contains(where: { $0.name == .setCookie }),
      response.cacheStatus?.isHit != true
    else { return response }
    store.store(response.head.headerFields[values: .setCookie], from: request)
    return response
  }
}

extension CookieInterceptor: Request.IdentityProvider {
  /// The state of the cookies that the request would be sent with; nil if there are none.
  ///
  /// A request after a login that set a cookie therefore never joins one that was sent before it.
  public func identity(for request: Request) -> Request.Identity? {
    guard !request.head.headerFields.contains(where: { $0.name == .cookie }) else { return nil }
    return store.field(for: request.head, in: request.context.partition).map { .state(of: $0) }
  }
}
