package struct MemberCredentials: Sendable, CustomStringConvertible {
  let user: String
  let password: String

  package init(user: String, password: String) {
    self.user = user
    self.password = password
  }

  package var description: String { user }
}
