/// Decides when a ping is sent, and when a connection is considered dead: without a clock or I/O.
///
/// Every received byte shows that the server is there. While nothing is received because no message is read,
/// silence means nothing.
struct KeepAlive: Sendable {
  enum Step: Sendable, Hashable {
    case wait(Duration)
    case ping
    case timeOut
  }

  private let interval: Duration
  private let limit: Duration
  private var latest: Duration
  private var pinged: Duration?
  private var isPaused = false

  init(interval: Duration, limit: Duration, at now: Duration) {
    // An interval of zero would send pings without pause.
    self.interval = max(interval, .milliseconds(10))
    self.limit = max(limit, .milliseconds(10))
    latest = now
  }

  /// Records that bytes were received, or that receiving continues.
  mutating func noteReceived(at now: Duration) { (latest, pinged, isPaused) = (now, nil, false) }

  /// Records that nothing is received because no message is read.
  mutating func notePaused() { (pinged, isPaused) = (nil, true) }

  /// Returns what to do at a time; a ping that it returns is recorded as sent.
  mutating func next(at now: Duration) -> Step {
    guard !isPaused else { return .wait(interval) }
    if let pinged {
      return now >= pinged + limit ? .timeOut : .wait(pinged + limit - now)
    }
    guard now >= latest + interval else { return .wait(latest + interval - now) }
    pinged = now
    return .ping
  }
}
