import Interception
import Synchronization

/// A maximum rate of requests: a number per period in the long run, and a burst at once.
public struct RateLimit: Sendable, Hashable {
  /// The number of requests per `period`, 1 to 1,000,000,000.
  package let count: Int
  /// The period, a microsecond to 366 days.
  package let period: Duration
  /// The number of requests that may be sent at once after a pause, 1 to 1,000,000,000.
  package let burst: Int

  /// Creates a limit; values outside the ranges are moved to the nearest bound.
  ///
  /// - Parameters:
  ///   - count: The number of requests per period, 1 to 1,000,000,000.
  ///   - period: The period, a microsecond to 366 days; a second by default.
  ///   - burst: The number of requests that may be sent at once after a pause, 1 to 1,000,000,000; `count` by
  ///     default.
  public init(_ count: Int, per period: Duration = .seconds(1), burst: Int? = nil) {
    self.count = Self.clamped(count)
    self.period = min(max(.microseconds(1), period), .seconds(366 * 86_400))
    self.burst = Self.clamped(burst ?? count)
  }

  private static func clamped(_ number: Int) -> Int { min(max(1, number), 1_000_000_000) }

  /// The time between two requests at the maximum rate.
  var interval: Duration { period / count }
}

extension RateLimit: CustomStringConvertible {
  /// The limit in words, such as "10 requests per 1.0 seconds".
  public var description: String { "\(count) requests per \(period)" }
}
