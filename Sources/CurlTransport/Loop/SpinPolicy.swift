import CCurlShims

/// Decides when a thread spins briefly before it blocks.
///
/// Waking a thread takes longer than a response from a nearby server. So an idle loop's thread spins for the
/// next request after a response, and the caller of the only request in flight spins for its response. After
/// two misses in a row a thread spins at every 64th opportunity only, until it succeeds again.
struct SpinPolicy {
  /// The maximum time that the loop's thread spins for the next request.
  static let requestTime = Duration.microseconds(40)
  /// The maximum time that a caller spins for the response to the only request in flight.
  static let responseTime = Duration.microseconds(100)
  private static let maximumMisses = 2
  private static let interval = 64

  let isEnabled: Bool
  private var misses = 0
  private var skipped = 0

  init(isEnabled: Bool) { self.isEnabled = isEnabled }

  mutating func shouldSpin() -> Bool {
    guard isEnabled else { return false }
    guard misses >= Self.maximumMisses else { return true }
    skipped = (skipped + 1) % Self.interval
    return skipped == 0
  }

  mutating func record(success: Bool) { misses = success ? 0 : misses + 1 }

  /// Spins for at most `time`; returns whether `condition` became true.
  static func spin(_ time: Duration, until condition: () -> Bool) -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + time
    repeat {
      for _ in 0..<16 {
        if condition() { return true }
        switchyard_pause()
      }
      // The thread that makes the condition true may be waiting for this processor.
      switchyard_yield()
    } while clock.now < end
    return false
  }
}
