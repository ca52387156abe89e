import Interception

/// An error code of a token endpoint (RFC 6749, section 5.2).
package enum OAuthErrorCode: String, Sendable, Hashable {
  /// The request lacks a parameter, or has one twice.
  case invalidRequest = "invalid_request"
  /// The client's id or secret is wrong.
  case invalidClient = "invalid_client"
  /// The refresh token is invalid, expired or revoked.
  case invalidGrant = "invalid_grant"
  /// The client may not use this grant.
  case unauthorizedClient = "unauthorized_client"
  /// The server doesn't support this grant.
  case unsupportedGrantType = "unsupported_grant_type"
  /// The scope is unknown or exceeds what was granted.
  case invalidScope = "invalid_scope"
  /// Any other code; its text isn't kept, because a server could repeat a secret in it.
  case other
}
