#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A monotonic clock and a wall clock, both replaceable, for everything that measures, waits or records
/// times.
public struct TimeSource: Sendable {
  private let elapsed: @Sendable () -> Duration
  private let pause: @Sendable (Duration) async throws -> Void
  private let wall: @Sendable () -> WallTime

  /// Creates a time source from a clock.
  ///
  /// - Parameter wall: Returns the wall-clock time; the system's by default.
  public init<C: Clock>(_ clock: C, wall: @escaping @Sendable () -> WallTime = { .now() })
  where C.Duration == Duration {
    let origin = clock.now
    elapsed = { origin.duration(to: clock.now) }
    pause = { try await clock.sleep(for: $0) }
    self.wall = wall
  }

  /// The system's continuous clock and wall clock.
  public static let system = TimeSource(ContinuousClock())

  /// Returns the time elapsed since the source was created; it never decreases.
  public func now() -> Duration { elapsed() }

  /// Returns the wall-clock time.
  public func wallTime() -> WallTime { wall() }

  /// Suspends the task for a duration.
  ///
  /// - Throws: `CancellationError` if the task is cancelled meanwhile.
  package func sleep(for duration: Duration) async throws { try await pause(duration) }
}
