import Interception

/// Obtains access tokens; ``OAuthTokenSource`` is the one for OAuth 2.
///
/// ``BearerAuthorization`` calls it for one refresh at a time, whatever the number of requests that wait.
///
/// ```swift
/// struct SessionTokens: TokenSource {
///   let login: @Sendable (_ previous: AccessToken?) async throws -> String?
///   func token(replacing previous: AccessToken?) async throws -> AccessToken {
///     guard let value = try await login(previous) else { throw AuthorizationError.needsLogin }
///     return try AccessToken(value)
///   }
/// }
/// ```
public protocol TokenSource: Sendable {
  /// Returns a new token.
  ///
  /// A request sent here through the pipeline of the refreshed requests must have a context whose
  /// `sendsCredentials` is false. Set its `redirects` to `.manual`, so that neither its secrets reach another
  /// server nor a token of another server is accepted. The task is cancelled at the time limit of a refresh
  /// and when ``BearerAuthorization/replaceToken(with:account:)`` makes the result unnecessary.
  ///
  /// - Parameter previous: The token that has expired or was refused; nil if there is none.
  /// - Throws: ``AuthorizationError/needsLogin`` if the user must log in; later requests then fail at once,
  ///   until the app sets a token. After any other error the next request tries again.
  func token(replacing previous: AccessToken?) async throws -> AccessToken
}
