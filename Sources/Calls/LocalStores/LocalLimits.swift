#if SQLite
/// The maximum that a ``LocalStore`` keeps, and how long it may wait before it writes.
public struct LocalLimits: Sendable, Hashable {
  /// The maximum number of bytes of all values and items, with about 72 for each; 64 MiB by default.
  package var bytes: Int
  /// The maximum number of bytes of one value or item as JSON; 1 MiB by default.
  package var valueBytes: Int
  /// The maximum time for which a change with ``LocalWriteTime/atBackground`` waits; 30 s by default.
  package var delay: Duration
  /// The maximum number of bytes of the changes that wait; one more writes them all.
  package var waitingBytes: Int
  /// The maximum number of changes that wait; one more writes them all.
  package var waitingCount: Int

  /// Creates limits.
  ///
  /// - Parameters:
  ///   - bytes: The maximum number of bytes of all values and items of an account, with about 72 for each.
  ///     Items of evictable collections make room for others; otherwise a change is refused.
  ///   - valueBytes: The maximum number of bytes of one value or item as JSON.
  ///   - delay: The maximum time for which a change with ``LocalWriteTime/atBackground`` waits.
  public init(bytes: Int = 64 << 20, valueBytes: Int = 1 << 20, delay: Duration = .seconds(30)) {
    self.bytes = max(bytes, 0)
    self.valueBytes = max(valueBytes, 0)
    self.delay = max(delay, .zero)
    waitingBytes = 1 << 20
    waitingCount = 1_000
  }
}
#endif
