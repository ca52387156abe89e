/// How long a target is kept.
public enum TargetLifetime: Sendable, Hashable {
  /// For one call; the next makes its own.
  case call
  /// Until it is released.
  case kept
  /// Until it is released or memory is short: `LifecycleEvent.memoryWarning` releases it.
  case untilMemoryWarning
}
