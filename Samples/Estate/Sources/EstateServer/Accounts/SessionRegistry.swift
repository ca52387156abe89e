import Foundation
import Synchronization

/// The sessions of users by their bearer tokens, in memory.
final class SessionRegistry: Sendable {
  enum Standing: Equatable {
    case active(user: String)
    case expired
    case unknown
  }

  /// The tokens of a session, each 32 random bytes in hexadecimal.
  struct Tokens {
    /// Sent with requests.
    let access: String
    /// Exchanged for new tokens, once.
    let refresh: String
  }

  private struct Session {
    let user: String
    let refreshToken: String
    var end: Date
  }

  private struct State {
    var sessions: [String: Session] = [:]
    /// The access tokens of sessions by their refresh tokens.
    var accessTokens: [String: String] = [:]
  }

  /// The maximum number of sessions; the one that expires first is removed.
  static let capacity = 1000

  let lifetime: TimeInterval
  private let state = Mutex(State())

  init(lifetime: TimeInterval) {
    self.lifetime = lifetime
  }

  func open(user: String, at now: Date) -> Tokens {
    state.withLock { Self.open(user: user, until: now.addingTimeInterval(lifetime), in: &$0) }
  }

  /// Ends the session of a refresh token and opens another one for its user; returns `nil` if no session has
  /// the token.
  func refresh(_ refreshToken: String, at now: Date) -> Tokens? {
    state.withLock { state in
      guard let access = state.accessTokens.removeValue(forKey: refreshToken),
        let session = state.sessions[access]
      else { return nil }
      state.sessions[access]?.end = min(session.end, now)
      return Self.open(user: session.user, until: now.addingTimeInterval(lifetime), in: &state)
    }
  }

  /// Returns the state of a token; an expired one stays known, so that its client learns to renew it.
  func standing(of token: String, at now: Date) -> Standing {
    state.withLock { state in
      guard let session = state.sessions[token] else { return .unknown }
      return now < session.end ? .active(user: session.user) : .expired
    }
  }

  private static func open(user: String, until end: Date, in state: inout State) -> Tokens {
    let tokens = Tokens(access: Hexadecimal.random(32), refresh: Hexadecimal.random(32))
    if state.sessions.count >= capacity,
      let first = state.sessions.min(by: { $0.value.end < $1.value.end })
    {
      state.sessions[first.key] = nil
      state.accessTokens[first.value.refreshToken] = nil
    }
    state.sessions[tokens.access] = Session(user: user, refreshToken: tokens.refresh, end: end)
    state.accessTokens[tokens.refresh] = tokens.access
    return tokens
  }
}
