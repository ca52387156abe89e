import HTTPTypes
import Interception

/// The wait before an attempt: a random part of a limit that doubles with each attempt ("full jitter").
///
/// Clients that failed at the same time would otherwise return at the same time. A random part of the whole
/// limit spreads them best (AWS Architecture Blog, "Exponential Backoff and Jitter").
public struct RetryBackOff: Sendable, Hashable {
  /// The limit of the first wait; 200 ms by default.
  package var base: Duration
  /// The maximum of all limits; 20 s by default, and at most a day.
  package var cap: Duration

  /// Creates a back-off.
  ///
  /// - Parameters:
  ///   - base: The limit of the first wait; 200 ms by default.
  ///   - cap: The maximum of all limits; 20 s by default, and at most a day.
  public init(base: Duration = .milliseconds(200), cap: Duration = .seconds(20)) {
    self.base = base
    self.cap = cap
  }

  /// Returns the wait after a failed attempt.
  ///
  /// - Parameters:
  ///   - attempt: The number of attempts made so far.
  ///   - random: A number from 0 up to, but not including, 1.
  func wait(afterAttempt attempt: Int, random: Double) -> Duration {
    let cap = min(max(cap, .zero), .seconds(86_400))
    var limit = min(max(base, .zero), cap)
    var doublings = attempt - 1
    while doublings > 0, limit > .zero, limit < cap {
      limit = min(limit * 2, cap)
      doublings -= 1
    }
    return limit * random
  }
}
