#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A point in time of the wall clock, which may be set forward and backward.
public struct WallTime: Sendable, Hashable, Comparable {
  /// The whole seconds since 1970-01-01T00:00:00Z.
  public let seconds: Int64
  /// The fraction of a second, 0 to 999,999,999.
  public let nanoseconds: Int64

  /// Creates a point in time from the seconds since 1970.
  public init(secondsSince1970 seconds: Int64, nanoseconds: Int64 = 0) {
    self.seconds = seconds
    self.nanoseconds = min(max(nanoseconds, 0), 999_999_999)
  }

  /// Returns the current time of the system's clock.
  public static func now() -> WallTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return WallTime(secondsSince1970: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
  }

  /// Whether one time is before another.
  public static func < (left: WallTime, right: WallTime) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }

  /// Returns the duration from this time to another; negative if the other is earlier.
  public func duration(to other: WallTime) -> Duration {
    .seconds(other.seconds &- seconds) + .nanoseconds(other.nanoseconds - nanoseconds)
  }

  /// Returns the time offset by a duration, which may be negative.
  public func advanced(by duration: Duration) -> WallTime {
    let (wholeSeconds, attoseconds) = duration.components
    var seconds = seconds + wholeSeconds
    var nanoseconds = nanoseconds + attoseconds / 1_000_000_000
    if nanoseconds < 0 {
      seconds -= 1
      nanoseconds += 1_000_000_000
    } else if nanoseconds >= 1_000_000_000 {
      seconds += 1
      nanoseconds -= 1_000_000_000
    }
    return WallTime(secondsSince1970: seconds, nanoseconds: nanoseconds)
  }
}
