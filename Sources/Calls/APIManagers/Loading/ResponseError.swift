/// The error that a response validator throws when it rejects a response.
public struct ResponseError: Error, Sendable, Hashable {
  /// What is wrong with a response.
  package enum Kind: Sendable, Hashable {
    /// The content violates the API's contract.
    case invalid
    /// The response is empty.
    case noContent
    /// The access token must be refreshed.
    case needsToken
    /// The user must log in.
    case needsLogin
    /// The user was asked to log in, and declined.
    case loginCancelled
  }

  /// What is wrong.
  package let kind: Kind
  /// A sentence that says what is wrong; it must not contain secrets.
  package let reason: String

  /// Creates an error.
  package init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }

  /// Creates an error for content that violates the API's contract.
  public static func invalid(_ reason: String) -> ResponseError { ResponseError(.invalid, reason) }

  /// The response is empty.
  public static let noContent = ResponseError(.noContent, "The response is empty.")
  /// The access token must be refreshed.
  public static let needsToken = ResponseError(.needsToken, "The access token must be refreshed.")
  /// The user must log in.
  public static let needsLogin = ResponseError(.needsLogin, "Log in first.")
  /// The user declined to log in.
  public static let loginCancelled = ResponseError(.loginCancelled, "The login was cancelled.")
}
