public import Interception

/// A bearer token in each request (RFC 6750), refreshed when it expires or a server refuses it.
///
/// A refused request starts one refresh for all requests that the token was refused for, and each is sent
/// again once with the new token. A request that was sent with an older token is sent again without another
/// refresh. Shortly before a token expires, one refresh runs in the background, and requests continue with
/// the current token; once it has expired, they wait.
///
/// If a refresh fails, all waiting requests fail with the same error. If the source reports that only a login
/// helps, they and all later requests fail with an error of kind `needsLogin`, and ``events()`` reports it
/// once; ``replaceToken(with:account:)`` ends that state. A refresh continues if all waiting requests are
/// cancelled, up to its time limit. After a failed refresh, requests that need another one fail at once with
/// the same error, for a second that doubles up to 30 s, unless there was no network. After five refreshes
/// within 30 s a further refusal is returned, so that a server that accepts no token causes no loop; for the
/// same reason a token is then sent although it has expired.
///
/// Each login is an identity of its own: after ``replaceToken(with:account:)`` no request is answered by a
/// transfer, or by a stored response, of the login before. Name the account, so that its stored responses
/// outlive the process; `CachingInterceptor.wipe(partition:)` removes them by that name. Without a name they
/// are stored in memory only.
///
/// ```swift
/// func authorization(over dispatcher: some Dispatcher) throws -> AuthorizationInterceptor {
///   let tokens = try OAuthTokenSource(
///     "https://login.example.com/token", client: OAuthClient(id: "app", secret: "from the keychain"),
///     grant: .clientCredentials, over: dispatcher)
///   return try AuthorizationInterceptor(BearerAuthorization(from: tokens), for: ["api.example.com"])
/// }
/// ```
public final class BearerAuthorization: AuthorizationScheme {
  let refresher: TokenRefresher

  /// Creates the scheme with a token that is never refreshed; a refusal is returned.
  ///
  /// - Parameter account: The name of the token's account; nil if the app has none for it.
  public init(_ token: AccessToken, account: String? = nil) {
    refresher = TokenRefresher(
      token, account: account, source: nil, leeway: .zero, refreshLimit: .zero, time: .system)
  }

  /// Creates the scheme with a source of tokens.
  ///
  /// - Parameters:
  ///   - source: Obtains tokens.
  ///   - token: The first token, such as a stored one; nil to obtain it for the first request.
  ///   - account: The name of the tokens' account; nil if the app has none for it.
  ///   - leeway: How long before its expiry a token is refreshed; 60 s, but at most half of the time for
  ///     which the token is valid.
  ///   - refreshLimit: The maximum time of a refresh; 30 s.
  ///   - time: The clock by which tokens expire.
  public init(
    from source: some TokenSource, starting token: AccessToken? = nil, account: String? = nil,
    leeway: Duration = .seconds(60), refreshLimit: Duration = .seconds(30), time: TimeSource = .system
  ) {
    refresher = TokenRefresher(
      token, account: account, source: source, leeway: leeway, refreshLimit: refreshLimit, time: time)
  }

  /// The current token; nil before the first one was obtained and after it was removed.
  public var token: AccessToken? { refresher.token }

  /// Sets the token, for example after a login; nil removes it, for a logout.
  ///
  /// A request is never sent on behalf of another login: a refresh in progress is cancelled, and the requests
  /// that wait for it, for another attempt or for their turn fail with an error of kind `rejected`,
  /// unless they were sent before the first login, when there was neither a token nor an account. The refusal
  /// of a request with a token from before is returned. Without a token, the next request asks the source for
  /// one.
  ///
  /// - Parameter account: The name of the token's account; nil if the app has none for it.
  public func replaceToken(with token: AccessToken?, account: String? = nil) {
    refresher.replaceToken(with: token, account: account)
  }

  /// The present login.
  public func identity(for request: Request) -> Request.Identity? { refresher.identity }

  /// Returns a stream of events from now on; any number of streams may be read.
  ///
  /// If a login is required already, the stream starts with ``AuthorizationEvent/needsLogin``. It keeps the
  /// latest 16 events that were not read, and ends when the scheme is released.
  public func events() -> AsyncStream<AuthorizationEvent> { refresher.events() }

  /// Returns the token's credentials, after a refresh if it has expired.
  public func credentials(for request: Request) async throws -> Credentials? {
    try await refresher.credentials()
  }

  /// Whether another token is available or can be obtained.
  public func canRenewCredentials(for request: Request, after refusal: Refusal) -> Bool {
    refresher.canRenew(after: refusal.sent)
  }

  /// Returns the credentials of the current token if the refused request had another one, or those of a new
  /// token.
  public func renewedCredentials(for request: Request, after refusal: Refusal) async throws -> Credentials {
    try await refresher.renewedCredentials(after: refusal.sent)
  }
}

extension BearerAuthorization: ImmediateAuthorizationScheme {
  /// Returns the credentials of a token that needs no refresh.
  func immediateCredentials(for request: Request) -> (credentials: Credentials, identity: Request.Identity)? {
    refresher.validCredentials()
  }
}
