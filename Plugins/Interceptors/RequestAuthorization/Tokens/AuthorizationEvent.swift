public import Interception

/// An event of ``BearerAuthorization/events()``.
public enum AuthorizationEvent: Sendable {
  /// The token was refreshed; store it if it must survive a restart, because a server may accept each refresh
  /// token only once.
  case refreshed(AccessToken)
  /// The token could not be refreshed, for a reason that may pass; the waiting requests failed with the
  /// error.
  case refreshFailed(NetworkError)
  /// The credentials can't be renewed: ask the user to log in, and call
  /// ``BearerAuthorization/replaceToken(with:account:)``.
  case needsLogin
}
