import Foundation
import Synchronization

/// Who is logged in: bearer tokens with an end, in memory.
final class SessionRegistry: Sendable {
  /// What a token is worth.
  enum Standing: Equatable {
    case active(user: String)
    case expired
    case unknown
  }

  private struct Session {
    let user: String
    let end: Date
  }

  /// Sessions kept at once; the one that ends first gives way.
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

  /// What a token is worth now; an expired one stays known so that its holder is told to renew it.
  func standing(of token: String, at now: Date) -> Standing {
    sessions.withLock { sessions in
      guard let session = sessions[token] else { return .unknown }
      return now < session.end ? .active(user: session.user) : .expired
    }
  }
}
