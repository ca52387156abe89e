public import Interception

/// A moment on two clocks: the wall clock, which others can set, and a steady one, which lives as long as the
/// process.
public struct CacheMoment: Sendable, Hashable {
  /// The time of day.
  public let wall: WallTime
  /// The steady time; nil where the moment was noted by another process.
  public let steady: Duration?

  /// Makes a moment of its parts.
  public init(wall: WallTime, steady: Duration?) {
    self.wall = wall
    self.steady = steady
  }

  /// Reads both clocks.
  public init(_ time: TimeSource) { self.init(wall: time.wallTime(), steady: time.now()) }

  /// The time from this moment to another one by whichever clock counted more; nil when the wall clock was
  /// set back.
  ///
  /// A steady clock that stood still during a suspension is made up for by the wall clock, and a wall clock
  /// that was set back a little is made up for by the steady one.
  func elapsed(to other: CacheMoment) -> Duration? {
    let byWall = wall.duration(to: other.wall)
    guard byWall >= .zero else { return nil }
    guard let steady, let otherSteady = other.steady else { return byWall }
    return max(byWall, otherSteady - steady)
  }
}
