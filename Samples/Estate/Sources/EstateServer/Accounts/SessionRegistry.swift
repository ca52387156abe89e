import Foundation
import Synchronization

/// The sessions of users by their bearer tokens, in memory.
final class SessionRegistry: Sendable {
  /// The state of a token.
  enum Standing: Equatable {
    case active(user: String)
    case expired
    case unknown
  }

  private struct Session {
    let user: String
    let end: Date
  }

  /// The maximum number of sessions; the one that expires first is removed.
  static let capacity = 1000

  let lifetime: TimeInterval
  private let sessions = Mutex<[String: Session]>([:])

  init(lifetime: TimeInterval) {
    self.lifetime = lifetime
  }

  /// Opens a session and returns its token: 32 random bytes in hexadecimal.
  func open(user: String, at now: Date) -> String {
    var generator = SystemRandomNumberGenerator()
    let token = Hexadecimal.text(Hexadecimal.random(32, using: &generator))
    let session = Session(user: user, end: now.addingTimeInterval(lifetime))
    sessions.withLock { sessions in
      if sessions.count >= Self.capacity,
        let first = sessions.min(by: { $0.value.end < $1.value.end })?.key
      {
        sessions[first] = nil
      }
      sessions[token] = session
    }
    return token
  }

  /// Returns the state of a token; an expired one stays known, so that its client learns to renew it.
  func standing(of token: String, at now: Date) -> Standing {
    sessions.withLock { sessions in
      guard let session = sessions[token] else { return .unknown }
      return now < session.end ? .active(user: session.user) : .expired
    }
  }
}
