/// Why a cookie was not kept (RFC 6265bis, section 5.7).
enum CookieRefusal: Sendable, Hashable {
  /// The line is empty, too long, or contains a control character.
  case malformed
  /// The domain contains a character other than ASCII, or the host is not in it.
  case foreignDomain
  /// The domain is a public suffix, so that unrelated sites would receive the cookie.
  case publicSuffix
  /// The cookie is `Secure` and the response was received over http.
  case secureOverHTTP
  /// The response was received over http, and the cookie would hide one that is `Secure`.
  case hidesSecure
  /// `SameSite=None` requires `Secure`.
  case sameSiteNoneWithoutSecure
  /// The name has the prefix `__Secure-` or `__Host-`, and the attributes don't meet its conditions.
  case prefix
}
