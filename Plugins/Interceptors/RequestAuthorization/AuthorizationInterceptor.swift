public import HTTPTypes
public import Interception
import Synchronization

/// Adds credentials to requests for an app's own servers, and renews them once if the server refuses them.
///
/// Use it for every API that requires a token or a password. It is not for proxies, whose credentials the
/// dispatcher sends, nor for signatures, which cover the whole request and belong to a signing interceptor.
///
/// ```swift
/// let members = BearerAuthorization(try AccessToken("a-token-from-the-keychain"))
/// let pipeline = try Pipeline(over: dispatcher) {
///   try AuthorizationInterceptor(members, for: ["api.example.com"])
/// }
/// ```
///
/// The credentials are obtained when a request leaves the device: a response from a cache needs none, and is
/// returned although the token has expired or can't be obtained. The identity of the request is known
/// earlier, from the scheme's ``AuthorizationScheme/identity(for:)``: different logins share neither
/// transfers nor stored responses. Without an identity, and without a partition that the caller has set, the
/// credentials are obtained before the cache, which then tells requests apart by them.
///
/// It is an inner stage of redirects and retry, so that each hop and each attempt gets the credentials of its
/// own origin and time, and an outer stage of signing, so that the signature covers the credentials.
///
/// Credentials are sent only to the listed origins, and only until a redirect leads to another origin than
/// that of the caller's URL: neither that hop nor a later one gets any, even if it leads back, because the
/// other server has chosen its URL. A request that already has an `Authorization` field is left alone, and so
/// is its response. The same applies if its context's `sendsCredentials` is false. The interceptor adds its
/// field to the context's `credentialFields`.
///
/// A request whose login is replaced before it leaves, such as while it waits for its next attempt, fails
/// with an error of kind `rejected`: it is never sent on behalf of another account. A login to the same
/// account, by its name, is not a replacement.
///
/// If the server refuses with 401 and the scheme can renew its credentials, the response is released, and the
/// request is sent again with the new ones, once: a second refusal is returned. The replay belongs to the
/// same attempt, as it isn't a retry after a failure, and the stages after this one run again for it. A body
/// that can be read only once can't be sent again; its refusal is returned.
public struct AuthorizationInterceptor: Interceptor {
  /// At stage `authorization`; calls `next` again after a refusal.
  ///
  /// A pipeline may have several, for other origins.
  public let traits = InterceptorTraits(
    stage: .authorization, allowsSeveral: true, callsNext: .anyNumber)
  private let credentials: SchemeCredentials
  private let origins: ProtectedOrigins
  private let isRefusal: @Sendable (Response) -> Bool

  /// Creates an interceptor.
  ///
  /// - Parameters:
  ///   - scheme: Provides the credentials.
  ///   - origins: The hosts that receive them, each with its port if it isn't 443, such as `api.example.com`
  ///     or `api.example.com:8443`. An origin without a scheme is https, and subdomains are not included.
  ///     `http://` before a host permits sending credentials to it without encryption, and then only so, as
  ///     in `http://127.0.0.1:8080`.
  ///   - isRefusal: Whether a response refuses the credentials; by default if its status is 401. Other
  ///     servers report an expired token with another status. It must not read a streamed body.
  /// - Throws: ``AuthorizationIssue``, which lists every malformed origin.
  public init(
    _ scheme: some AuthorizationScheme, for origins: [String],
    isRefusal: @escaping @Sendable (Response) -> Bool = { $0.status == .unauthorized }
  ) throws(AuthorizationIssue) {
    credentials = SchemeCredentials(scheme)
    self.origins = try ProtectedOrigins(origins)
    self.isRefusal = isRefusal
  }

  /// Sends the request with credentials, and once more with renewed ones if they are refused.
  ///
  /// - Throws: The error of `next`. If there are no valid credentials, an error of kind `needsLogin`; if they
  ///   can't be obtained, of the kind that prevented it. The underlying error is an ``AuthorizationError``,
  ///   or the one that a custom scheme or token source threw.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    guard applies(to: request) else {
      var response = try await next.dispatch(request)
      if isDenied(response), response.credentialUse == nil {
        response.credentialUse = .missing(from: request, response.status)
      }
      return response
    }
    let (login, number) = (credentials.login(of: request), credentials.number)
    guard !request.hasLogin(of: number, otherThan: login) else {
      throw credentials.failure(AuthorizationError(.tokenReplaced))
    }
    // The pipeline has done it at its entrance, but not for a hop from an origin without credentials.
    let request = request.identified(as: login ?? .unknown.provided(by: number))
    let refusal: Refusal
    switch try await firstResult(of: request, by: login, next: next) {
    case .response(let response): return response
    case .refusal(let refused): refusal = refused
    }
    let renewed = try await credentials.renewed(for: request, by: login, after: refusal)
    let leaving = LeavingRequest(request, by: login, credentials, renewed: renewed)
    return refusedAgain(try await send(request, as: leaving, next: next))
  }

  private enum FirstResult {
    case response(Response)
    case refusal(Refusal)
  }

  /// Sends the request for the first time.
  ///
  /// A function of its own, so that the refused response is released before its credentials are renewed:
  /// otherwise it would keep a connection that the refresh may need.
  private func firstResult(
    of request: Request, by login: Request.Identity?, next: some Dispatcher
  ) async throws -> FirstResult {
    let leaving = LeavingRequest(request, by: login, credentials)
    let response = try await send(request, as: leaving, next: next)
    // A response from a store refuses nothing.
    guard let sent = leaving.sent else { return .response(response) }
    let isRefusal = isRefusal(response)
    guard isRefusal, !sent.hasOwnField else {
      return .response(isRefusal || isDenied(response) ? noting(sent, in: response) : response)
    }
    let refusal = Refusal(of: sent.credentials, head: response.head)
    guard credentials.canRenew(for: request, after: refusal) else {
      return .response(noting(sent, in: response))
    }
    guard request.permits(.repeating) else {
      return .response(noting(sent, in: response, isSentOnce: true))
    }
    return .refusal(refusal)
  }

  /// Whether the server may have wanted credentials, or other ones.
  private func isDenied(_ response: Response) -> Bool {
    response.status == .unauthorized || response.status == .forbidden
  }

  /// Returns a refusal with the credentials that the request had.
  ///
  /// - Parameter isSentOnce: Whether its body prevents that it is sent again with other ones.
  private func noting(
    _ sent: LeavingRequest.Sent, in response: Response, isSentOnce: Bool = false
  ) -> Response {
    var response = response
    response.credentialUse =
      if isSentOnce {
        .sent(
          remedy:
            "other credentials can be obtained, but the request's body can be read only once, so it was not "
            + "sent again; make the body .bytes, .file or .sequence(length:makingEach:)")
      } else if let field = sent.credentials?.name {
        sent.hasOwnField
          ? .ownField(field, response.status) : .sent(remedy: nil)
      } else {
        .notSent(
          remedy:
            "the request was sent without credentials, because \(credentials.typeName) had none for it; check the "
            + "scheme, and what the server's WWW-Authenticate asks for")
      }
    return response
  }

  /// Returns the response to renewed credentials; it says so if it refuses them, too.
  private func refusedAgain(_ response: Response) -> Response {
    guard isRefusal(response) else { return response }
    var response = response
    response.credentialUse = .sent(
      remedy: "it refuses the renewed credentials, too; check that they are meant for this server")
    return response
  }

  /// Sends the request, which gets its credentials when it leaves.
  private func send(
    _ request: Request, as leaving: LeavingRequest, next: some Dispatcher
  ) async throws -> Response {
    guard request.hasUnknownIdentity(of: credentials.number) else {
      return try await next.dispatch(request, onDeparture: Request.Departure(leaving))
    }
    // A cache tells unknown accounts apart by their credentials, so they must be known before it.
    var completed = request
    if try !leaving.completeWithoutSuspending(&completed) { try await leaving.complete(&completed) }
    completed.resolveIdentity(of: credentials.number)
    return try await next.dispatch(completed)
  }

  private func applies(to request: Request) -> Bool {
    let head = request.head
    return origins.contain(head) && !head.headerFields.contains(.authorization)
      && request.context.sendsCredentials && !request.context.hasLeftOrigin
  }
}

extension AuthorizationInterceptor: Request.NoticingIdentityProvider {
  package var notice: String? {
    guard let request = origins.example, credentials.login(of: request) == nil else { return nil }
    return
      "\(credentials.schemeName) doesn't say whose credentials it adds, so requests are sent one by one, "
      + "and their responses are stored in memory only; return the account from its identity(for:), or .app if the "
      + "credentials are the same for every user."
  }

  package var presentLogin: Request.Identity? {
    // The name of the account may come with the first token.
    if let bearer = credentials.scheme as? BearerAuthorization, bearer.token == nil { return nil }
    return origins.example.flatMap { credentials.scheme.identity(for: $0) }
  }

  package var namingRemedy: String {
    switch credentials.scheme {
    case is BearerAuthorization:
      "give BearerAuthorization the account, and replaceToken(with:account:) at each login, too"
    case is BasicAuthorization, is DigestAuthorization: "give \(credentials.typeName) the account"
    default: "return .account(_:) from identity(for:) of \(credentials.typeName)"
    }
  }

  /// The identity of the scheme, or an unknown one, for requests to the listed origins.
  public func identity(for request: Request) -> Request.Identity? {
    applies(to: request) ? credentials.login(of: request) ?? .unknown.provided(by: credentials.number) : nil
  }
}

/// Obtains the credentials of an interceptor's scheme, and compares the login that they belong to.
private final class SchemeCredentials: Sendable {
  let scheme: any AuthorizationScheme
  /// The scheme, if its credentials may be available without suspending.
  private let immediateScheme: (any ImmediateAuthorizationScheme)?
  /// Identifies the interceptor's logins in a request's identity.
  let number = Request.Identity.newNumber()

  init(_ scheme: some AuthorizationScheme) {
    self.scheme = scheme
    immediateScheme = scheme as? any ImmediateAuthorizationScheme
  }

  var typeName: String { "\(type(of: scheme))" }
  var schemeName: String { "The scheme \(typeName)" }

  func login(of request: Request) -> Request.Identity? {
    scheme.identity(for: request)?.provided(by: number)
  }

  /// Returns the credentials of a request's login if they are available; nil if they must be obtained.
  func immediate(for request: Request, by login: Request.Identity?) throws -> Credentials? {
    guard let present = immediateScheme?.immediateCredentials(for: request) else { return nil }
    try check(login, is: present.identity.provided(by: number))
    return present.credentials
  }

  /// Obtains the credentials of a request's login.
  ///
  /// - Parameter request: The request at the interceptor's stage, whose login is compared.
  func obtained(
    for leaving: Request, of request: Request, by login: Request.Identity?
  ) async throws -> Credentials? {
    let credentials: Credentials?
    do {
      credentials = try await scheme.credentials(for: leaving)
    } catch {
      throw failure(error)
    }
    // The login may have been replaced meanwhile.
    try check(login, of: request)
    return credentials
  }

  func canRenew(for request: Request, after refusal: Refusal) -> Bool {
    scheme.canRenewCredentials(for: request, after: refusal)
  }

  /// Obtains new credentials of a request's login.
  func renewed(
    for request: Request, by login: Request.Identity?, after refusal: Refusal
  ) async throws -> Credentials {
    let credentials: Credentials
    do {
      credentials = try await scheme.renewedCredentials(for: request, after: refusal)
    } catch {
      throw failure(error)
    }
    try check(login, of: request)
    return credentials
  }

  /// Checks that the scheme still has the login that a request was made for.
  func check(_ login: Request.Identity?, of request: Request) throws {
    try check(login, is: self.login(of: request))
  }

  private func check(_ login: Request.Identity?, is present: Request.Identity?) throws {
    guard let login, !login.isSameAccount(as: present) else { return }
    throw failure(AuthorizationError(.tokenReplaced))
  }

  func failure(_ error: any Error) -> NetworkError {
    var error = AuthorizationError.networkError(for: error, from: schemeName)
    // A retry would only ask for the credentials again, and the API's server is not to blame.
    error.preventedDeparture = true
    return error
  }
}

/// A request that gets credentials when it leaves the device, and those with which it has left.
private final class LeavingRequest: Request.DepartureHandler {
  struct Sent: Sendable {
    let credentials: Credentials?
    /// Whether the request had the field already.
    let hasOwnField: Bool
  }

  private let request: Request
  private let login: Request.Identity?
  private let scheme: SchemeCredentials
  /// The credentials with which it is sent again after a refusal.
  private let renewed: Credentials?
  private let latest = Mutex<Sent?>(nil)

  init(
    _ request: Request, by login: Request.Identity?, _ scheme: SchemeCredentials, renewed: Credentials? = nil
  ) {
    (self.request, self.login, self.scheme, self.renewed) = (request, login, scheme, renewed)
  }

  /// The credentials with which the request has left; nil if it hasn't.
  var sent: Sent? { latest.withLock { $0 } }

  func completeWithoutSuspending(_ leaving: inout Request) throws -> Bool {
    if let renewed {
      // The login may be replaced while the request is on its way to its departure.
      try scheme.check(login, of: request)
      add(renewed, to: &leaving)
      return true
    }
    guard let credentials = try scheme.immediate(for: leaving, by: login) else { return false }
    add(credentials, to: &leaving)
    return true
  }

  func complete(_ leaving: inout Request) async throws {
    add(try await scheme.obtained(for: leaving, of: request, by: login), to: &leaving)
  }

  private func add(_ credentials: Credentials?, to leaving: inout Request) {
    // The credentials may belong to a field other than Authorization.
    let hasOwnField = credentials.map { leaving.head.headerFields.contains($0.name) } ?? false
    latest.withLock { $0 = Sent(credentials: credentials, hasOwnField: hasOwnField) }
    guard let credentials else { return }
    leaving.context.addCredentialField(credentials.name)
    if !hasOwnField { leaving.head.headerFields.append(credentials.field) }
  }
}

/// Why a request was sent without the credentials of an interceptor, and what to do about its refusal.
extension Exchange.CredentialUse {
  /// Finds out why a request got none, which was refused with a status.
  fileprivate static func missing(from request: Request, _ status: HTTPResponse.Status) -> Self {
    let head = request.head
    guard !head.headerFields.contains(.authorization) else { return ownField(.authorization, status) }
    let origin = RequestOrigin(head).description
    let reason =
      if !request.context.sendsCredentials {
        "sendsCredentials of its context is false; check what the request has in their place"
      } else if request.context.hasLeftOrigin {
        "a redirect led it to another origin, and now to \"\(origin)\"; request the last URL at once, if that "
          + "origin may receive them"
      } else {
        "its origin \"\(origin)\" is not listed; add \"\(Self.listed(origin))\" to the origins of "
          + "AuthorizationInterceptor, if it may receive them"
      }
    return .notSent(remedy: "the request was sent without credentials, because \(reason)")
  }

  /// Blames a field of the request's own, if it was not accepted.
  fileprivate static func ownField(_ name: HTTPField.Name, _ status: HTTPResponse.Status) -> Self {
    // With another status the server has accepted the field, but not what the request asks for.
    guard status == .unauthorized else { return .sent(remedy: nil) }
    return .notSent(
      remedy:
        "the request has a field \(name) of its own, so AuthorizationInterceptor added none; correct that "
        + "field, or leave it out")
  }

  /// An origin as it is listed: https is left out.
  private static func listed(_ origin: String) -> Substring {
    origin.hasPrefix("https://") ? origin.dropFirst("https://".count) : origin[...]
  }
}
