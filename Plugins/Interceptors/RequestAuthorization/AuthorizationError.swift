import Cryptography
public import Interception

/// The reason why a request could not be authenticated; it never contains a secret.
public struct AuthorizationError: Error, LoggableError, Sendable, Hashable {
  package enum Reason: Sendable, Hashable {
    /// There are no credentials, or they are no longer valid and can't be renewed; the user must log in.
    case needsLogin
    /// The grant of refresh tokens was to renew a token that has none; the token endpoint was not asked.
    ///
    /// The request fails with an error of the kind `needsLogin`, because only a login can give such a token.
    case noRefreshToken
    /// A token source didn't return within the time limit of a refresh.
    case refreshTimedOut(limit: Duration)
    /// The app replaced the token by that of another login before the request was sent.
    case tokenReplaced
    /// The token endpoint refused the grant (RFC 6749, section 5.2).
    case grantRefused(OAuthErrorCode)
    /// The token endpoint responded with an unexpected status and no error code.
    case tokenEndpointStatus(Int)
    /// The token endpoint redirected to a URL of this origin, such as `https://login.example.com`; redirects
    /// are not followed, because the request contains secrets and the response a token.
    case tokenEndpointRedirected(to: String)
    /// The token endpoint's response is not that of RFC 6749, section 5.1; the text names the fault.
    case malformedTokenResponse(String)
    /// Credentials can't be sent in a field; the text names the rule.
    case invalidCredentials(String)
    /// A hash can't be computed: CryptoKit has no SHA-512/256, and a FIPS configuration of libcrypto forbids
    /// MD5.
    case hashUnavailable(String)
  }

  package let reason: Reason

  package init(_ reason: Reason) { self.reason = reason }

  /// There are no credentials, or they are no longer valid and can't be renewed; the user must log in.
  public static let needsLogin = AuthorizationError(.needsLogin)

  /// The app replaced the token by that of another login before the request was sent.
  ///
  /// Send the request again if it is meant for the new login.
  package static let tokenReplaced = AuthorizationError(.tokenReplaced)

  /// The code with which the token endpoint refused the grant, such as `invalid_grant`; nil for another
  /// reason.
  ///
  /// A code that RFC 6749, section 5.2, doesn't define is `other`, because a server could repeat a secret in
  /// it.
  public var code: String? {
    guard case .grantRefused(let code) = reason else { return nil }
    return code.rawValue
  }
}

extension AuthorizationError: CustomStringConvertible {
  /// The fault and the remedy.
  public var description: String {
    switch reason {
    case .needsLogin:
      "There are no valid credentials, and none can be obtained without a login; log in again."
    case .noRefreshToken:
      "The access token was refused or has expired, and can't be renewed because it has no refresh token; pass the one "
        + "of the login's response as refreshToken of AccessToken, or log in again."
    case .refreshTimedOut(let limit):
      "The access token was not refreshed within \(limit); check the token endpoint, or raise the limit."
    case .tokenReplaced:
      "The token was replaced by that of another login before the request was sent; send the request again if "
        + "it is meant for the new login."
    case .grantRefused(let code):
      "The token endpoint refused the grant with \"\(code.rawValue)\"; check the client's id, secret and scope."
    case .tokenEndpointStatus(let code):
      "The token endpoint responded with status \(code); check its URL, or try again later."
    case .tokenEndpointRedirected(let origin):
      "The token endpoint redirected to \"\(origin)\", which was not followed, because the request contains "
        + "secrets; check the endpoint's URL, and give the new one if you trust it."
    case .malformedTokenResponse(let fault):
      "The token endpoint's response is not valid: \(fault); check the endpoint's URL."
    case .invalidCredentials(let rule): rule
    case .hashUnavailable(let name): CryptographyError(operation: name).description
    }
  }
}

extension AuthorizationError {
  /// The error with which a request fails, of the kind that an app expects.
  var networkError: NetworkError {
    let kind: NetworkError.Kind =
      switch reason {
      case .needsLogin, .noRefreshToken: .needsLogin
      case .refreshTimedOut: .timeout(.whole)
      case .tokenReplaced, .grantRefused, .tokenEndpointStatus, .tokenEndpointRedirected,
        .malformedTokenResponse, .invalidCredentials, .hashUnavailable:
        .rejected
      }
    return NetworkError(kind, description, underlying: self)
  }

  /// Returns the error with which a request fails if a scheme or a token source throws `error`.
  static func networkError(for error: any Error, from culprit: String) -> NetworkError {
    switch error {
    case let error as NetworkError: error
    case let error as AuthorizationError: error.networkError
    case is CancellationError:
      NetworkError(.cancelled(.task), "The request was cancelled.", underlying: error)
    default: NetworkError(foreign: error, from: culprit)
    }
  }
}
