import Interception

/// The names that were looked up, for as long as their answers are valid.
struct NameCache: Sendable {
  /// What is known of a name.
  enum LookUp: Hashable {
    case missing
    case fresh([ConnectTarget])
    /// The answer is no longer valid, and better than none if the server can't be reached (RFC 8767).
    case stale([ConnectTarget])
  }

  private struct Entry {
    var addresses: [ConnectTarget]
    var freshUntil: Duration
  }

  /// The maximum number of names.
  static let limit = 1_024
  /// The shortest and the longest time for which an answer is used.
  static let lifetime = Duration.seconds(10)...Duration.seconds(86_400)
  /// The time for which it is remembered that a name has no address.
  static let negativeLifetime = Duration.seconds(60)
  /// The time for which an answer is kept after it has become stale.
  static let staleTime = Duration.seconds(3_600)

  /// The time for which a server that could not be reached is not asked again, so that it delays no more
  /// requests.
  static let pause = Duration.seconds(30)

  private var entries: [String: Entry] = [:]
  private var pausedUntil: Duration?
  /// The number of the network, which an answer must be of.
  private(set) var network: UInt64 = 0

  func lookUp(_ host: String, at now: Duration) -> LookUp {
    guard let entry = entries[host], now < entry.freshUntil + Self.staleTime else { return .missing }
    return now < entry.freshUntil ? .fresh(entry.addresses) : .stale(entry.addresses)
  }

  /// Stores an answer, unless the network has changed since the question.
  ///
  /// - Parameter timeToLive: The time for which it is valid; nil for a name without an address.
  mutating func store(
    _ addresses: [ConnectTarget], for host: String, timeToLive: Duration?, askedIn network: UInt64,
    at now: Duration
  ) {
    guard network == self.network else { return }
    if entries.count >= Self.limit, entries[host] == nil { makeRoom(at: now) }
    let lifetime = timeToLive.map { min(max($0, Self.lifetime.lowerBound), Self.lifetime.upperBound) }
    entries[host] = Entry(addresses: addresses, freshUntil: now + (lifetime ?? Self.negativeLifetime))
  }

  /// Whether the server is not asked for now.
  func isPaused(at now: Duration) -> Bool { pausedUntil.map { now < $0 } ?? false }

  /// Records whether the server could be reached, unless the network has changed since the question.
  mutating func noteReached(_ isReached: Bool, askedIn network: UInt64, at now: Duration) {
    guard network == self.network else { return }
    pausedUntil = isReached ? nil : now + Self.pause
  }

  /// Forgets all answers, and that the server could not be reached; answers on their way are not stored.
  mutating func networkDidChange() {
    network += 1
    (entries, pausedUntil) = ([:], nil)
  }

  private mutating func makeRoom(at now: Duration) {
    entries = entries.filter { now < $0.value.freshUntil }
    if entries.count >= Self.limit,
      let oldest = entries.min(by: { $0.value.freshUntil < $1.value.freshUntil })
    {
      entries[oldest.key] = nil
    }
  }
}
