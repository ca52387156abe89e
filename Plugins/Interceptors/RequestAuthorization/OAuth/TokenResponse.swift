import Interception

/// The response of a token endpoint (RFC 6749, section 5).
enum TokenResponse {
  /// Reads the token from a response.
  ///
  /// Some servers report an error with status 200, so the body's error code is read first.
  ///
  /// - Parameters:
  ///   - previous: The token that is replaced; its refresh token stays valid unless the response has another
  ///     one (RFC 6749, section 6).
  static func token(
    status: Int, body: [UInt8], replacing previous: AccessToken?, at now: WallTime
  ) throws(AuthorizationError) -> AccessToken {
    let fields = JSONFields(body)
    if let code = fields?.strings["error"] { throw .grantRefused(OAuthErrorCode(rawValue: code) ?? .other) }
    guard (200...299).contains(status) else { throw .tokenEndpointStatus(status) }
    guard let fields else { throw .malformedTokenResponse("the body is not a JSON object") }
    guard let value = fields.strings["access_token"] else {
      throw .malformedTokenResponse("the field \"access_token\" is missing or not a string")
    }
    guard fields.strings["token_type"]?.lowercased() == "bearer" else {
      throw .malformedTokenResponse("the field \"token_type\" is not \"Bearer\"")
    }
    let refreshToken = fields.strings["refresh_token"].flatMap { $0.isEmpty ? nil : $0 }
    return try AccessToken(
      value, expiry: lifetime(fields).map { now.advanced(by: .seconds($0)) },
      refreshToken: refreshToken ?? previous?.refreshToken)
  }

  /// The seconds until the token expires, at most a hundred years; nil if the server states none.
  private static func lifetime(_ fields: JSONFields) -> Double? {
    // Some servers send the number as a string.
    let seconds = fields.numbers["expires_in"] ?? fields.strings["expires_in"].flatMap { Double($0) }
    guard let seconds, seconds > 0 else { return nil }
    return min(seconds, 100 * 365 * 86_400)
  }
}
