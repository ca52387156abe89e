/// The error that an answer validator throws when it rejects an answer.
public struct AnswerFault: Error, Sendable, Hashable {
  /// What is wrong with an answer.
  public enum Kind: Sendable, Hashable {
    /// The content violates the API's contract.
    case invalid
    /// The answer is empty.
    case noContent
    /// The access token must be refreshed.
    case needsToken
    /// The user must log in.
    case needsLogin
    /// The user was asked to log in, and declined.
    case loginCancelled
  }

  /// What is wrong.
  public let kind: Kind
  /// A sentence that says what is wrong; it must not contain secrets.
  public let reason: String

  /// Creates an error.
  public init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }

  /// Creates an error for content that violates the API's contract.
  public static func invalid(_ reason: String) -> AnswerFault { AnswerFault(.invalid, reason) }

  /// The answer is empty.
  public static let noContent = AnswerFault(.noContent, "The answer is empty.")
  /// The access token must be refreshed.
  public static let needsToken = AnswerFault(.needsToken, "The access token must be refreshed.")
  /// The user must log in.
  public static let needsLogin = AnswerFault(.needsLogin, "Log in first.")
  /// The user declined to log in.
  public static let loginCancelled = AnswerFault(.loginCancelled, "The login was cancelled.")
}
