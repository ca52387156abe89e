import Interception

/// What was found of a name.
struct HostAddresses: Sendable, Hashable {
  var targets: [ConnectTarget] = []
  /// The name and the aliases that have led to the addresses, as messages have them.
  var names: [[UInt8]] = []
}

/// The names that were looked up, for as long as their answers are valid.
struct NameCache: Sendable {
  /// What is known of a name.
  enum LookUp: Hashable {
    case missing
    case fresh(HostAddresses)
    /// The answer is no longer valid, and better than none if the server can't be reached (RFC 8767).
    case stale(HostAddresses)
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

  private var entries = FreshEntries<String, HostAddresses>(limit: limit)
  private var pausedUntil: Duration?
  /// The number of the network, which an answer must be of.
  private(set) var network: UInt64 = 0

  func lookUp(_ host: String, at now: Duration) -> LookUp {
    guard let entry = entries[host], now < entry.freshUntil + Self.staleTime else { return .missing }
    return now < entry.freshUntil ? .fresh(entry.value) : .stale(entry.value)
  }

  /// Stores an answer, unless the network has changed since the question.
  ///
  /// - Parameter timeToLive: The time for which it is valid; nil for a name without an address.
  mutating func store(
    _ addresses: HostAddresses, for host: String, timeToLive: Duration?, askedIn network: UInt64,
    at now: Duration
  ) {
    guard network == self.network else { return }
    entries.store(addresses, for: host, until: now + Self.lifetime(of: timeToLive), at: now)
  }

  /// Returns the time for which an answer is used, by the time that it states; nil if it has no record.
  static func lifetime(of timeToLive: Duration?) -> Duration {
    timeToLive.map { min(max($0, lifetime.lowerBound), lifetime.upperBound) } ?? negativeLifetime
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
    entries.removeAll()
    pausedUntil = nil
  }
}
