/// Asks the user for name and password: a terminal, or a script.
public protocol CredentialPrompt: Sendable {
  /// Returns what the user typed, or nil when he would rather not log in.
  func credentials() async -> Credentials?
}
