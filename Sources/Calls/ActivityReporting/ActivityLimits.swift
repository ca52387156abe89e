#if SQLite

/// The maximum that a log stores.
///
/// Beyond it, the oldest events are removed, and counted and reported as lost.
public struct ActivityLimits: Sendable, Hashable {
  /// The maximum number of waiting events; 100,000 by default.
  package var count: Int
  /// The maximum number of bytes of the waiting events; 16 MiB by default.
  package var bytes: Int
  /// The maximum age of a waiting event, checked before each upload; 7 days by default.
  ///
  /// It is measured by a clock that can't be set while the log is open. The time between two runs counts as
  /// at most half of the age, because the wall clock may be wrong then.
  package var age: Duration
  /// The maximum number of bytes of one event; 64 KiB by default, beyond which it is refused.
  package var eventBytes: Int
  /// The maximum number of events that the server has refused and that are kept; 1,000 by default.
  package var setAsideCount: Int

  /// Creates limits.
  public init(
    count: Int = 100_000, bytes: Int = 16 << 20, age: Duration = .seconds(7 * 86_400),
    eventBytes: Int = 64 << 10, setAsideCount: Int = 1_000
  ) {
    self.count = max(count, 1)
    self.bytes = max(bytes, 1)
    self.age = max(age, .zero)
    self.eventBytes = max(eventBytes, 1)
    self.setAsideCount = max(setAsideCount, 0)
  }
}
#endif
