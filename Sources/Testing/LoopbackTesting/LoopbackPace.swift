#if LoopbackTesting

/// A rate for sending content: a number of bytes per tick of the server's clock.
public struct LoopbackPace: Sendable, Hashable {
  /// The number of bytes per tick; at least 1.
  let bytes: Int
  /// The time between two ticks.
  let tick: Duration

  /// Creates a pace.
  public init(bytes: Int = 1, every tick: Duration) {
    self.bytes = max(bytes, 1)
    self.tick = tick
  }
}
#endif
