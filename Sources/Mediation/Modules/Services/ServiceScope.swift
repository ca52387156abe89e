/// Who shares a service.
public enum ServiceScope: Sendable, Hashable {
  /// One for the app, made at its first use and kept.
  case app
  /// A new one for each who asks.
  case fresh
}
