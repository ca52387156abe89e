/// How long a target is kept.
public enum TargetLifetime: Sendable, Hashable {
  /// For one call; the next call creates another.
  case call
  /// Until it is released.
  case kept
  /// Until it is released or memory is low: `LifecycleEvent.memoryWarning` releases it.
  case untilMemoryWarning
}
