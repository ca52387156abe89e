import HTTPTypes
public import Interception

/// Follows redirects in the chain, so that each hop is signed, cached, routed and logged as what it is.
///
/// Use it for APIs and downloads whose servers redirect. Don't use it for a call whose `Location` the app
/// reads itself, as in an authorization flow: set `RedirectMode.manual` for that call. Without it, a
/// redirect is a response like any other.
///
/// ```swift
/// let pipeline = try Pipeline(over: CurlDispatcher()) { RedirectInterceptor() }
/// let response = try await pipeline.send(Request(authority: "estate.example", path: "/moved"))
/// print(response.exchange.redirects.last?.url ?? "not redirected")
/// ```
///
/// It stands at stage `redirects`, after sharing, because joined callers want the same final response, and
/// before everything that depends on the URL. A retry inside it repeats a single hop.
///
/// | status | next method (RFC 9110, section 15.4) | body |
/// |---|---|---|
/// | 301, 302 | GET after POST, as in browsers; otherwise the same | kept unless the method changes |
/// | 303 | GET; HEAD after HEAD | dropped |
/// | 307, 308 | the same | kept |
///
/// Other statuses are returned, as is a response without `Location` or with several. Without a body, the
/// fields that describe one are dropped. `Location` is resolved by RFC 3986, section 5; spaces and UTF-8 in
/// it are percent-encoded. A fragment is never sent; `Exchange.redirects` has it.
///
/// When a hop leads to another origin, that is another scheme, host or port, it loses the fields of
/// `context.credentialFields`, `Host`, `context.connectTarget` and `context.api`, of `Referer` everything
/// after its origin, and credential fields among the trailers; `context.hasLeftOrigin` becomes true. A later
/// hop back to the first origin does not restore them. Interceptors of later stages may add credentials of
/// the new authority.
///
/// These fail with an underlying ``RedirectError``: more hops than the limit, https to http, a URL that is
/// neither http nor https, a user name in `Location`, a body that would have to be sent again but cannot,
/// another origin for a request with a body whose context's `sendsCredentials` is false, because the body of
/// a login has a password, and another origin for a resource of a web view's page.
/// A redirect to a URL that was requested before is followed within the limit, because a server may answer
/// differently then: once it has set a cookie, or finished the work whose result is polled. An endless cycle
/// ends at the limit, and the error names it.
///
/// The body of a response that redirects is released before the next hop; a streamed one is cancelled, which
/// closes its HTTP/1.1 connection unless the body is empty.
public struct RedirectInterceptor: Interceptor {
  /// At stage `redirects`; calls `next` once for each hop.
  public let traits = InterceptorTraits(stage: .redirects, callsNext: .anyNumber)
  private let rules: RedirectRules

  /// Creates an interceptor.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of redirects per call; 20, as in curl and Firefox.
  ///   - allowsDowngrades: Whether a redirect from https to http is followed; false. `Referer` is dropped
  ///     then, too.
  ///   - allowsPrivateAddresses: Whether a redirect is followed from a public address, or a name, to
  ///     `localhost` or an address that is loopback, private, link-local or otherwise not public; true. Set
  ///     it to false in a program that sends requests to URLs of its users. Names are not resolved, so it
  ///     does not apply to a name with a private address.
  public init(
    limit: Int = 20, allowsDowngrades: Bool = false, allowsPrivateAddresses: Bool = true
  ) {
    rules = RedirectRules(
      limit: limit, allowsDowngrades: allowsDowngrades, allowsPrivateAddresses: allowsPrivateAddresses)
  }

  /// Sends the request, and follows the redirects of its responses.
  ///
  /// - Throws: The error of `next`, or one with an underlying ``RedirectError``: of the kind
  ///   `bodyNotReplayable`, `protocolViolation` for an invalid `Location`, or otherwise `rejected`.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    var response = try await next.dispatch(request)
    // A server that redirects the handshake of another protocol has not switched to it; the caller decides.
    guard RedirectStatus(rawValue: response.status.code) != nil, request.permits(.redirecting) else {
      return response
    }
    var request = request
    var course = RedirectCourse(
      rules, mode: request.context.redirects,
      hasSecretBody: !request.context.sendsCredentials && !request.body.isEmpty,
      staysInOrigin: request.context.staysInOrigin)
    while let hop = try Self.hop(of: &course, from: request, by: response) {
      // Interceptors that are limited to other requests may add credentials to this one.
      request = hop.applied(to: request).identified(over: next)
      // Releases the body, and with it the transfer.
      response = Response(status: response.status)
      response = try await next.dispatch(request)
    }
    if !course.redirects.isEmpty { response.exchange.redirects = course.redirects }
    return response
  }

  private static func hop(
    of course: inout RedirectCourse, from request: Request, by response: Response
  ) throws(NetworkError) -> RedirectHop? {
    do throws(RedirectError) {
      return try course.hop(from: request.head, request.body, by: response.head)
    } catch {
      throw error.networkError(attempt: request.attempt)
    }
  }
}
