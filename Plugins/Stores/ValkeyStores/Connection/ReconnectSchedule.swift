import RequestSigning

/// Decides when to connect again after failures.
struct ReconnectSchedule: Sendable {
  private let delays: ClosedRange<Duration>
  private var failures = 0
  private var pause: (until: Duration, error: NonceStoreError)?

  /// Creates a schedule; see ``ValkeyConfiguration/reconnectDelays``.
  init(_ delays: ClosedRange<Duration>) { self.delays = delays }

  /// Returns the error of the last attempt if it is too early for another one.
  func refusal(at now: Duration) -> NonceStoreError? {
    guard let pause, now < pause.until else { return nil }
    return pause.error
  }

  /// Records that connecting or a command failed.
  ///
  /// - Parameter fraction: A random number from 0 to 1; the delay is shortened by up to half, so that the
  ///   servers of a fleet don't reconnect together.
  mutating func recordFailure(_ error: NonceStoreError, at now: Duration, fraction: Double) {
    var delay = delays.lowerBound
    for _ in 0..<failures where delay < delays.upperBound { delay = min(delay * 2, delays.upperBound) }
    failures += 1
    pause = (now + delay * (1 - min(max(fraction, 0), 1) / 2), error)
  }

  /// Records that a command succeeded.
  mutating func recordSuccess() {
    guard failures > 0 else { return }
    failures = 0
    pause = nil
  }
}
