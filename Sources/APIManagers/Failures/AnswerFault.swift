/// Why an answer is of no use although it arrived; an answer validator throws it.
public struct AnswerFault: Error, Sendable, Hashable {
  /// What is wrong with an answer.
  public enum Kind: Sendable, Hashable {
    /// Its content breaks what was agreed.
    case invalid
    /// It holds nothing.
    case noContent
    /// The access token must be refreshed.
    case needsToken
    /// A person must log in.
    case needsLogin
    /// A person was asked to log in, and declined.
    case loginCancelled
  }

  /// What is wrong.
  public let kind: Kind
  /// A sentence that says what is wrong; it must not quote secrets.
  public let reason: String

  /// Makes a fault.
  public init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }

  /// The content breaks what was agreed.
  public static func invalid(_ reason: String) -> AnswerFault { AnswerFault(.invalid, reason) }

  /// The answer holds nothing.
  public static let noContent = AnswerFault(.noContent, "The answer holds nothing.")
  /// The access token must be refreshed.
  public static let needsToken = AnswerFault(.needsToken, "The access token must be refreshed.")
  /// A person must log in.
  public static let needsLogin = AnswerFault(.needsLogin, "Log in first.")
  /// A person declined to log in.
  public static let loginCancelled = AnswerFault(.loginCancelled, "The login was cancelled.")
}
