/// Time for everything that measures, waits or stamps: a steady clock and the wall clock, both replaceable.
public struct TimeSource: Sendable {
  private let elapsed: @Sendable () -> Duration
  private let pause: @Sendable (Duration) async throws -> Void
  private let wall: @Sendable () -> WallTime

  /// Makes a time source of a clock.
  ///
  /// - Parameter wall: The time of day; the system's by default.
  public init<C: Clock>(_ clock: C, wall: @escaping @Sendable () -> WallTime = { .now() })
  where C.Duration == Duration {
    let origin = clock.now
    elapsed = { origin.duration(to: clock.now) }
    pause = { try await clock.sleep(for: $0) }
    self.wall = wall
  }

  /// The system's continuous clock and its wall clock.
  public static let system = TimeSource(ContinuousClock())

  /// The time since the source was made; it never goes backwards.
  public func now() -> Duration { elapsed() }

  /// The time of day.
  public func wallTime() -> WallTime { wall() }

  /// Waits.
  ///
  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
  public func sleep(for duration: Duration) async throws { try await pause(duration) }
}
