import Synchronization

/// Measures the time that a piece of work takes itself, without what it spends in other modules' work.
enum OwnTime {
  /// The time that one piece of work spent in others' work.
  final class Tally: Sendable {
    private let sum = Mutex(Duration.zero)

    var total: Duration { sum.withLock { $0 } }

    func add(_ duration: Duration) { sum.withLock { $0 += duration } }
  }

  @TaskLocal static var others: Tally?

  /// Runs work and says how long it took itself.
  static func measure<T>(
    _ clock: any Clock<Duration>, _ work: () async -> T
  ) async -> (result: T, ownTime: Duration) {
    let tally = Tally()
    let watch = stopwatch(clock)
    let result = await $others.withValue(tally) { await work() }
    // What ran side by side may add up to more than the whole.
    return (result, max(.zero, watch() - tally.total))
  }

  /// Runs work whose time is not the surrounding work's own.
  static func exclude<T>(
    _ clock: any Clock<Duration>, _ work: () async throws -> T
  ) async rethrows -> T {
    guard let tally = others else { return try await work() }
    let watch = stopwatch(clock)
    defer { tally.add(watch()) }
    return try await $others.withValue(nil) { try await work() }
  }

  /// Answers the time since now.
  static func stopwatch(_ clock: any Clock<Duration>) -> () -> Duration {
    func start<C: Clock<Duration>>(_ clock: C) -> () -> Duration {
      let origin = clock.now
      return { origin.duration(to: clock.now) }
    }
    return start(clock)
  }
}
