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
  /// - Throws: ``AuthorizationError/invalidCredentials(_:)`` if the user name contains a colon, or one of
  ///   both a control character.
  public init(user: String, password: String) throws(AuthorizationError) {
    try PasswordSyntax.check(user: user, password: password)
    identity = .account(user)
    credentials = try Credentials("Basic " + Base64.encode("\(user):\(password)".utf8))
  }

  /// The account of the user.
  public func identity(for request: Request) -> Request.Identity? { identity }

  /// Returns the same credentials for every request.
  public func credentials(for request: Request) async throws -> Credentials? { credentials }
}
