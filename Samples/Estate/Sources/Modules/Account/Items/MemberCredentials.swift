/// A name and a password.
public struct MemberCredentials: Sendable, CustomStringConvertible {
  let user: String
  let password: String

  /// Creates credentials.
  public init(user: String, password: String) {
    self.user = user
    self.password = password
  }

  /// The name only.
  public var description: String { user }
}
