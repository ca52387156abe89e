/// How long a provider is kept.
public enum ProviderLifetime: Sendable, Hashable {
  /// For one use; the next use creates another.
  case transient
  /// Until it is released.
  case untilReleased
  /// Until it is released or memory is low: `LifecycleEvent.memoryWarning` releases it.
  case untilMemoryWarning
}
