/// The challenges in use, by origin, and how often each nonce was used.
///
/// A pure value. Beyond `capacity` origins another one's session is removed, which costs it one refusal.
struct DigestSessions: Sendable {
  /// A challenge and the number of requests that used its nonce.
  struct Session: Sendable, Hashable {
    let challenge: DigestChallenge
    // One client nonce for all requests of a nonce: servers differ in whether the session variant's key has
    // that of the first request or of each.
    let clientNonce: String
    var count: UInt32 = 0
  }

  private let capacity: Int
  private var sessions: [String: Session]

  init(_ sessions: [String: Session] = [:], capacity: Int = 64) {
    self.sessions = sessions
    self.capacity = max(1, capacity)
  }

  var origins: Set<String> { Set(sessions.keys) }

  /// Returns the session of an origin with its next count; nil if there is none or its counter has ended.
  mutating func next(of origin: String) -> Session? {
    guard let session = sessions[origin], session.count < .max else {
      sessions[origin] = nil
      return nil
    }
    sessions[origin]?.count = session.count + 1
    return sessions[origin]
  }

  /// Starts a session with a challenge, unless the origin's session has its nonce already.
  ///
  /// Requests that were refused at the same time then share a session, whose counts must not repeat.
  mutating func begin(_ challenge: DigestChallenge, of origin: String, clientNonce: String) {
    if let known = sessions[origin], known.challenge.nonce == challenge.nonce { return }
    if sessions[origin] == nil, sessions.count >= capacity, let other = sessions.keys.first {
      sessions[other] = nil
    }
    sessions[origin] = Session(challenge: challenge, clientNonce: clientNonce)
  }
}
