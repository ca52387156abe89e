#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A moment of the wall clock, which may be set forwards and backwards.
public struct WallTime: Sendable, Hashable, Comparable {
  /// Whole seconds since 1970-01-01T00:00:00Z.
  public let seconds: Int64
  /// The rest, 0 to 999,999,999.
  public let nanoseconds: Int64

  /// Makes a moment of seconds since 1970.
  public init(secondsSince1970 seconds: Int64, nanoseconds: Int64 = 0) {
    self.seconds = seconds
    self.nanoseconds = min(max(nanoseconds, 0), 999_999_999)
  }

  /// Reads the system's clock.
  public static func now() -> WallTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return WallTime(secondsSince1970: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
  }

  /// Whether one moment is before another one.
  public static func < (left: WallTime, right: WallTime) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }

  /// The time from one moment to another one; negative when the other one is earlier.
  public func duration(to other: WallTime) -> Duration {
    .seconds(other.seconds &- seconds) + .nanoseconds(other.nanoseconds - nanoseconds)
  }

  /// Returns the moment after, or before, a duration.
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
