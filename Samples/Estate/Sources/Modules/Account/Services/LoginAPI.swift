import APIManagers
import EstateContract
import HTTPTypes

/// Opens a session.
struct LoginAPI: API {
  struct Params: Encodable, Sendable {
    let user: String
    let password: String
  }

  struct Output: Decodable, Sendable {
    let token: String
    let expiresIn: Int
    let refreshToken: String
  }

  static let endpoint = Endpoint<Params>(.estate, "session.begin", method: .post, path: "/session")
}
