import Foundation
import HTTPTypes
import Testing

@testable import EstateServer

@Suite struct TokenRouteTests {
  private func refresh(_ caller: APICaller, _ token: String?) async throws -> Reply {
    try await caller.post("/v1/token", json: "grant_type=refresh_token&refresh_token=\(try #require(token))")
  }

  @Test("A refresh token is exchanged once for new tokens, and the old token is then expired")
  func refreshed() async throws {
    let caller = try APICaller(sessionLifetime: 90)
    let session = try await caller.logIn().json
    let reply = try await refresh(caller, session["refresh_token"].text)
    #expect(reply.status == .ok && reply.fields[.cacheControl] == "no-store")
    let tokens = try reply.json
    #expect(tokens["token_type"] == "Bearer" && tokens["expires_in"] == 90)
    for (token, code) in [(tokens["access_token"], nil), (session["token"], "token_expired")] {
      let bearer = try #require(token.text)
      let list = try await caller.get("/v1/favourites", fields: [.authorization: "Bearer \(bearer)"])
      #expect(code == nil ? list.status == .ok : list.errorCode == code)
    }
    #expect(try await refresh(caller, session["refresh_token"].text).status == .badRequest)
    #expect(try await refresh(caller, tokens["refresh_token"].text).status == .ok)
  }

  @Test(
    "Another grant or an unknown token is refused with an error code of OAuth 2",
    arguments: [
      ("", "unsupported_grant_type"), ("grant_type=password", "unsupported_grant_type"),
      ("grant_type=refresh_token", "invalid_grant"),
      ("grant_type=refresh_token&refresh_token=x", "invalid_grant"),
    ])
  func refused(form: String, code: String) async throws {
    let reply = try await APICaller().post("/v1/token", json: form)
    #expect(reply.status == .badRequest)
    #expect(try reply.json == ["error": .string(code)])
  }
}
