import HTTPTypes
package import Interception
import RequestAuthorization
package import SwitchyardTesting

/// Issues access tokens for refresh tokens, and knows whose a token is.
package final class TokenServer: SimulatedServer, @unchecked Sendable {
  static let origin = "login.example"
  private unowned let world: World
  private var issued: [String: (account: String, expiry: Duration)] = [:]
  private var count = 0

  init(_ world: World) { self.world = world }

  /// Creates a token of an account.
  func issue(to account: String) -> String {
    count += 1
    let token = "\(World.secretMark)-\(account)-\(count)"
    issued["Bearer \(token)"] = (account, world.scheduler.now + world.plan.settings.tokenLife)
    return token
  }

  /// Returns the account of a valid token.
  func owner(of value: String) -> String? {
    issued[value].flatMap { $0.expiry > world.scheduler.now ? $0.account : nil }
  }

  /// Returns the account of a token, valid or not.
  func formerOwner(of value: String) -> String? { issued[value]?.account }

  /// Makes all tokens invalid.
  func revokeAll() {
    for token in issued.keys { issued[token]?.expiry = .zero }
  }

  package func reply(to arrival: SimulatedArrival) -> Response {
    let account = String(decoding: arrival.body, as: UTF8.self).split(separator: "-").last.map(String.init)
    guard let account else { return Response(status: .badRequest) }
    return Response(status: .ok, bytes: Array(issue(to: account).utf8))
  }
}

/// Refreshes a token at the token server, without the chain.
struct SimulatedTokenSource: TokenSource {
  let world: World
  let port: NetworkPort
  let account: @Sendable () -> String?

  func token(replacing previous: AccessToken?) async throws -> AccessToken {
    guard let refresh = previous?.refreshToken else { throw AuthorizationError(.needsLogin) }
    let request = Request(
      method: .post, authority: TokenServer.origin, path: "/token", body: .bytes(Array(refresh.utf8)))
    let response = try await port.dispatch(request)
    guard response.status == .ok else {
      throw NetworkError(.transport, "The token endpoint responded \(response.status.code).")
    }
    let value = String(decoding: try await response.body.collect(upTo: 4_096), as: UTF8.self)
    return try world.accessToken(value, of: refresh.split(separator: "-").last.map(String.init) ?? "")
  }
}

/// The cookies that servers have set.
final class CookieLedger {
  private unowned let world: World
  private var owners: [String: (origin: String, partition: String)] = [:]

  init(_ world: World) { self.world = world }

  /// Returns a `Set-Cookie` line for a response.
  func line(_ arrival: SimulatedArrival) -> String {
    let value = "\(World.secretMark)-cookie-\(owners.count)"
    owners[value] = (arrival.origin, arrival.request.context.partition)
    return "session=\(value); Path=/; Secure; HttpOnly"
  }

  /// Returns where and for whom a cookie was set.
  func owner(of value: String) -> (origin: String, partition: String)? { owners[value] }
}
