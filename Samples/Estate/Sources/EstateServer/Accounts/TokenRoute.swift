import Foundation
import HTTPServing
import HTTPTypes

/// The token endpoint of OAuth 2 (RFC 6749, section 3.2), which refreshes the tokens of sessions.
struct TokenRoute {
  /// The path, which needs no signature: the refresh token is the proof.
  static let path = "/v1/token"

  let sessions: SessionRegistry
  let now: @Sendable () -> Date

  func add(to router: inout HTTPRouter<Answer>) {
    router.on(.post, Self.path) { request in
      let form = try QueryParameters(rawQuery: String(decoding: request.body, as: UTF8.self))
      guard try form.value("grant_type") == "refresh_token" else {
        return try Self.refusal("unsupported_grant_type")
      }
      guard let token = try form.value("refresh_token"), let tokens = sessions.refresh(token, at: now())
      else { return try Self.refusal("invalid_grant") }
      let body: JSON = [
        "access_token": .string(tokens.access), "token_type": "Bearer",
        "expires_in": JSON(Int(sessions.lifetime)), "refresh_token": .string(tokens.refresh),
      ]
      return try Answer.json(body)
    }
  }

  private static func refusal(_ code: String) throws -> Answer {
    try Answer.json(["error": code], status: .badRequest)
  }
}
