public import Interception

/// A time on two clocks: the wall clock, which can be set, and a steady clock, which starts with the process.
public struct CacheInstant: Sendable, Hashable {
  /// The time of day.
  public let wall: WallTime
  /// The steady time, or nil for a moment recorded by another process.
  public let steady: Duration?

  /// Creates a moment.
  public init(wall: WallTime, steady: Duration?) {
    self.wall = wall
    self.steady = steady
  }

  /// Reads both clocks.
  public init(_ time: TimeSource) { self.init(wall: time.wallTime(), steady: time.now()) }

  /// Returns the time from this moment to another one by the clock that advanced more; nil if the wall clock
  /// was set back.
  ///
  /// The wall clock compensates for a steady clock that stopped during suspension, the steady clock for a
  /// wall clock that was set back slightly.
  func elapsed(to other: CacheInstant) -> Duration? {
    let byWall = wall.duration(to: other.wall)
    guard byWall >= .zero else { return nil }
    guard let steady, let otherSteady = other.steady else { return byWall }
    return max(byWall, otherSteady - steady)
  }
}
