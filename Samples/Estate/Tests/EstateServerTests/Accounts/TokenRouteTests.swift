import Foundation
import HTTPTypes
import Testing

@testable import EstateServer

@Suite struct TokenRouteTests {
  struct Tokens: Decodable {
    let access_token: String
    let token_type: String
    let expires_in: Int
    let refresh_token: String
  }

  private func refresh(_ caller: APICaller, _ token: String) async throws -> Reply {
    try await caller.post("/v1/token", json: "grant_type=refresh_token&refresh_token=\(token)")
  }

  @Test("A refresh token is exchanged once for new tokens, and the old token is then expired")
  func refreshed() async throws {
    let caller = try APICaller(sessionLifetime: 90)
    let session: AccountRoutesTests.Session = try await caller.post(
      "/v1/session", json: AccountRoutesTests.credentials
    ).json()
    let reply = try await refresh(caller, session.refresh_token)
    #expect(reply.status == .ok && reply.fields[.cacheControl] == "no-store")
    let tokens: Tokens = try reply.json()
    #expect(tokens.token_type == "Bearer" && tokens.expires_in == 90)
    for (token, code) in [(tokens.access_token, nil), (session.token, "token_expired")] {
      let list = try await caller.get("/v1/favourites", fields: [.authorization: "Bearer \(token)"])
      #expect(code == nil ? list.status == .ok : list.errorCode == code)
    }
    #expect(try await refresh(caller, session.refresh_token).status == .badRequest)
    #expect(try await refresh(caller, tokens.refresh_token).status == .ok)
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
    #expect(try reply.json(as: [String: String].self) == ["error": code])
  }
}
