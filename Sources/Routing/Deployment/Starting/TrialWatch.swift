import Interception

/// Measures how long the app has been in the foreground with a version on trial, and decides what follows.
struct TrialWatch: Sendable {
  /// What follows from the time and the app's word.
  enum Verdict: Sendable, Hashable {
    /// The version has worked.
    case confirm
    /// The app has lived long enough that its end is no death any more; the version stays on trial.
    case close
  }

  /// The minimum time in the foreground before a version is confirmed.
  static let confirmation: Duration = .seconds(10)
  /// The time in the foreground after which an end is no death, although the app has not given its word.
  static let closing: Duration = .seconds(60)

  private var elapsed: Duration = .zero
  /// The time at which the app came to the foreground, or the version was applied; nil in the background.
  private var since: Duration?
  private var hasWord = false
  /// Whether an end of the process is no death any more.
  private(set) var isClosed = false

  /// Notes that the app is in the foreground.
  mutating func resume(at now: Duration) { since = since ?? now }

  /// Notes that the app is suspended.
  mutating func pause(at now: Duration) {
    elapsed = lived(at: now)
    since = nil
  }

  /// Notes that the app has said that it works.
  mutating func giveWord() { hasWord = true }

  /// Returns what follows now, once each.
  mutating func verdict(at now: Duration) -> Verdict? {
    if hasWord, lived(at: now) >= Self.confirmation { return .confirm }
    guard !isClosed, lived(at: now) >= Self.closing else { return nil }
    isClosed = true
    return .close
  }

  /// The time until the next verdict; nil if none follows from the time alone.
  func wait(at now: Duration) -> Duration? {
    guard since != nil, hasWord || !isClosed else { return nil }
    return max(.zero, (hasWord ? Self.confirmation : Self.closing) - lived(at: now))
  }

  private func lived(at now: Duration) -> Duration { elapsed + (since.map { now - $0 } ?? .zero) }
}
