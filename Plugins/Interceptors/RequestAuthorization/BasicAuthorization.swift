import Cryptography
public import Interception

/// A user name and a password in each request (RFC 7617).
///
/// They are sent with the first request already, without waiting for a challenge; a refusal is returned. The
/// password is only encoded, not encrypted: use it over TLS alone, and prefer ``DigestAuthorization`` or a
/// token where the server offers them.
///
/// ```swift
/// let interceptor = try AuthorizationInterceptor(
///   BasicAuthorization(user: "reader", password: "open sesame"), for: ["reports.example.com"])
/// ```
public struct BasicAuthorization: AuthorizationScheme {
  private let credentials: Credentials
  private let identity: Request.Identity

  /// Creates the scheme for a user; both texts are sent in UTF-8, without any normalization.
  ///
  /// - Parameters:
  ///   - user: The user name.
  ///   - password: The password.
  ///   - account: The name of the account, so that its stored responses and cookies outlive the process; nil
  ///     if the app has none for it. Don't pass a user name that is a secret, such as an API's key, or that
  ///     several accounts have.
  /// - Throws: ``AuthorizationError`` if the user name contains a colon, or one of
  ///   both a control character.
  public init(
    user: String, password: String, account: String? = nil
  ) throws(AuthorizationError) {
    try PasswordSyntax.check(user: user, password: password)
    identity = account.map { .account($0) } ?? .unnamed()
    credentials = try Credentials("Basic " + Base64.encode(Array("\(user):\(password)".utf8)))
  }

  /// The login of the scheme.
  public func identity(for request: Request) -> Request.Identity? { identity }

  /// Returns the same credentials for every request.
  public func credentials(for request: Request) async throws -> Credentials? { credentials }
}

extension BasicAuthorization: ImmediateAuthorizationScheme {
  func immediateCredentials(for request: Request) -> (credentials: Credentials, identity: Request.Identity)? {
    (credentials, identity)
  }
}

/// The characters that user names and passwords may have.
enum PasswordSyntax {
  /// Checks a user name and a password by RFC 7617, section 2.
  ///
  /// Digest separates the same values by colons, so the rules apply to it too.
  static func check(user: String, password: String) throws(AuthorizationError) {
    guard !user.utf8.contains(UInt8(ascii: ":")) else {
      throw AuthorizationError(
        .invalidCredentials("The user name contains a colon, which separates it from the password."))
    }
    guard !hasControlCharacter(user), !hasControlCharacter(password) else {
      throw AuthorizationError(
        .invalidCredentials("The user name or the password contains a control character; remove it."))
    }
  }

  private static func hasControlCharacter(_ text: String) -> Bool {
    // U+0080 to U+009F are control characters too.
    text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
  }
}
