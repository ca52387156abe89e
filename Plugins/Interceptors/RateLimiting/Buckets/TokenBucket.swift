/// A token bucket: each request takes a token, and tokens are added at a constant rate up to a maximum.
///
/// The bucket stores only the instant at which it will be full, from which the number of tokens at any
/// instant follows, so that nothing has to be added periodically and no error accumulates.
struct TokenBucket {
  /// The time in which a token is added.
  private let interval: Duration
  /// The time in which the tokens but one are added to an empty bucket.
  private let tolerance: Duration
  private var fullAt: Duration

  /// Creates a full bucket.
  init(_ limit: RateLimit, at now: Duration) {
    interval = limit.interval
    tolerance = limit.interval * (limit.burst - 1)
    fullAt = now
  }

  /// Returns how long it takes until a token is available; zero if one is.
  func wait(at now: Duration) -> Duration {
    max(.zero, max(fullAt, now) - now - tolerance)
  }

  /// Returns whether the bucket is full.
  func isFull(at now: Duration) -> Bool { fullAt <= now }

  /// Takes a token, if one is available.
  mutating func take(at now: Duration) -> Bool {
    guard wait(at: now) == .zero else { return false }
    fullAt = max(fullAt, now) + interval
    return true
  }
}
