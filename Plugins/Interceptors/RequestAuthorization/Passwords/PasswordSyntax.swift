/// The characters that user names and passwords may have.
enum PasswordSyntax {
  /// Checks a user name and a password by RFC 7617, section 2.
  ///
  /// Digest separates the same values by colons, so the rules apply to it too.
  static func check(user: String, password: String) throws(AuthorizationError) {
    guard !user.utf8.contains(UInt8(ascii: ":")) else {
      throw .invalidCredentials("The user name contains a colon, which separates it from the password.")
    }
    guard !hasControlCharacter(user), !hasControlCharacter(password) else {
      throw .invalidCredentials("The user name or the password contains a control character; remove it.")
    }
  }

  private static func hasControlCharacter(_ text: String) -> Bool {
    // U+0080 to U+009F are control characters too.
    text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
  }
}
