import Synchronization

/// Measures the time that a module's code takes, without the time that its calls spend in other modules.
///
/// It travels in the code's context, and from there in the calls that are made through it.
package final class OwnTime: Sendable {
  /// The time spent in other modules.
  private let others = Mutex(Duration.zero)

  /// Runs work and returns its own time.
  static func measure<T>(
    _ clock: any Clock<Duration>, _ work: (OwnTime) async -> T
  ) async -> (result: T, ownTime: Duration) {
    let ownTime = OwnTime()
    let watch = stopwatch(clock)
    let result = await work(ownTime)
    // Concurrent work may add up to more than the elapsed time.
    return (result, max(.zero, watch() - ownTime.others.withLock { $0 }))
  }

  /// Runs work whose time does not count towards a measurement, if there is one.
  static func exclude<T>(
    from ownTime: OwnTime?, _ clock: any Clock<Duration>, _ work: () async throws -> T
  ) async rethrows -> T {
    guard let ownTime else { return try await work() }
    let watch = stopwatch(clock)
    defer {
      let time = watch()
      ownTime.others.withLock { $0 += time }
    }
    return try await work()
  }

  /// Returns a closure that returns the time elapsed since this call.
  package static func stopwatch(_ clock: any Clock<Duration>) -> () -> Duration {
    func start<C: Clock<Duration>>(_ clock: C) -> () -> Duration {
      let origin = clock.now
      return { origin.duration(to: clock.now) }
    }
    return start(clock)
  }
}
