import Synchronization

/// Measures the time that work takes, without the time it spends in other modules.
enum OwnTime {
  /// The time that measured work spent in other modules.
  final class Tally: Sendable {
    private let sum = Mutex(Duration.zero)

    var total: Duration { sum.withLock { $0 } }

    func add(_ duration: Duration) { sum.withLock { $0 += duration } }
  }

  @TaskLocal static var others: Tally?

  /// Runs work and returns its own time.
  static func measure<T>(
    _ clock: any Clock<Duration>, _ work: () async -> T
  ) async -> (result: T, ownTime: Duration) {
    let tally = Tally()
    let watch = stopwatch(clock)
    let result = await $others.withValue(tally) { await work() }
    // Concurrent work may add up to more than the elapsed time.
    return (result, max(.zero, watch() - tally.total))
  }

  /// Runs work whose time does not count towards the surrounding measurement.
  static func exclude<T>(
    _ clock: any Clock<Duration>, _ work: () async throws -> T
  ) async rethrows -> T {
    guard let tally = others else { return try await work() }
    let watch = stopwatch(clock)
    defer { tally.add(watch()) }
    return try await $others.withValue(nil) { try await work() }
  }

  /// Returns a closure that returns the time elapsed since this call.
  static func stopwatch(_ clock: any Clock<Duration>) -> () -> Duration {
    func start<C: Clock<Duration>>(_ clock: C) -> () -> Duration {
      let origin = clock.now
      return { origin.duration(to: clock.now) }
    }
    return start(clock)
  }
}
