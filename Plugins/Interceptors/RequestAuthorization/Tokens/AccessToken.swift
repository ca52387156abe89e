public import Interception

/// A bearer token (RFC 6750), when it expires, and the token with which it is refreshed.
///
/// No text or mirror reveals the tokens.
public struct AccessToken: Sendable, Hashable {
  /// The token, which is a secret.
  public let value: String
  /// When the token expires; nil if that isn't known.
  public let expiry: WallTime?
  /// The token that a refresh sends to the token endpoint, a secret; nil if there is none.
  public let refreshToken: String?

  /// Creates a token.
  ///
  /// - Parameter value: 1 to 16,384 visible ASCII characters. RFC 6750, section 2.1, permits fewer
  ///   characters, but servers issue others too.
  /// - Throws: ``AuthorizationError`` if the value has other characters or another
  ///   length.
  public init(
    _ value: String, expiry: WallTime? = nil, refreshToken: String? = nil
  ) throws(AuthorizationError) {
    guard (1...16_384).contains(value.utf8.count), value.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw AuthorizationError(
        .invalidCredentials(
          "An access token is empty, too long, or has a character other than visible ASCII; pass it unquoted."
        ))
    }
    self.value = value
    self.expiry = expiry
    self.refreshToken = refreshToken
  }
}

extension AccessToken: Concealed, CustomStringConvertible {
  /// When the token expires, without the token.
  public var description: String {
    "AccessToken(\(expiry.map { "expires \(HTTPDate.format($0))" } ?? "without expiry"))"
  }
}
