import Synchronization

/// A clock that counts how often it is read, and never advances.
final class ReadingClock: Clock {
  typealias Instant = ContinuousClock.Instant

  private let start = ContinuousClock.now
  private let count = Atomic(0)

  var readings: Int { count.load(ordering: .relaxed) }

  var now: Instant {
    count.add(1, ordering: .relaxed)
    return start
  }

  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}
