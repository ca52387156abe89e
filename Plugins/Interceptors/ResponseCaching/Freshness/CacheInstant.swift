package import Interception
import Synchronization

/// A time on two clocks: the wall clock, which can be set, and a steady clock, which starts with the process.
public struct CacheInstant: Sendable, Hashable {
  /// The time of day.
  package let wall: WallTime
  /// The steady time, or nil for a moment recorded by another process.
  package let steady: Duration?
  /// The wall clock's time at which the steady clock started, see ``CacheClock``; nil if it is unknown.
  let start: WallTime?

  /// Creates a moment.
  package init(wall: WallTime, steady: Duration?) { self.init(wall: wall, steady: steady, start: nil) }

  init(wall: WallTime, steady: Duration?, start: WallTime?) {
    (self.wall, self.steady, self.start) = (wall, steady, start)
  }

  /// Reads both clocks.
  package init(_ time: TimeSource) { self.init(wall: time.wallTime(), steady: time.now()) }

  /// Returns the time from this moment to another one by the clock that advanced more; nil if the wall clock
  /// was set back.
  ///
  /// The wall clock compensates for a steady clock that stopped during suspension, the steady clock for a
  /// wall clock that was set back slightly.
  func elapsed(to other: CacheInstant) -> Duration? {
    wall <= other.wall ? duration(to: other) : nil
  }

  /// Returns the time from this moment to a later one by the clock that advanced more, also if the wall clock
  /// was set back.
  ///
  /// The steady time of a moment that another process recorded, or this one on a disk, follows from the start
  /// that the later moment knows.
  func duration(to other: CacheInstant) -> Duration {
    let byWall = max(.zero, wall.duration(to: other.wall))
    guard let otherSteady = other.steady, let steady = steady ?? other.start?.duration(to: wall) else {
      return byWall
    }
    return max(byWall, otherSteady - steady)
  }
}

/// The clocks of a cache, and the wall clock's time at which its steady clock started.
///
/// A stored response that is read from a disk has only the wall clock's time of its arrival. If the wall
/// clock is set back afterwards, that response would seem younger than it is. The steady time of its arrival
/// is therefore derived from the start. Each setting of the wall clock gives another start, of which the
/// latest one counts: with it no response seems younger than it is (RFC 9111, section 4.2.3).
final class CacheClock: Sendable {
  private let time: TimeSource
  private let start: Mutex<WallTime>

  init(_ time: TimeSource) {
    self.time = time
    start = Mutex(Self.start(of: CacheInstant(time)))
  }

  /// Returns the present moment.
  func now() -> CacheInstant {
    CacheInstant(wall: time.wallTime(), steady: time.now(), start: start.withLock { $0 })
  }

  /// Returns the present moment, at which a response arrives that may be written to a disk.
  func arrival() -> CacheInstant {
    let now = CacheInstant(time)
    let implied = Self.start(of: now)
    start.withLock { $0 = max($0, implied) }
    return now
  }

  private static func start(of now: CacheInstant) -> WallTime {
    now.wall.advanced(by: .zero - (now.steady ?? .zero))
  }
}
