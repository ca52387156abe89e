/// Asks the user for name and password.
package protocol CredentialPrompt: Sendable {
  /// Returns what the user typed, or `nil` if the user does not want to log in.
  func credentials() async -> MemberCredentials?
}
