/// How instances of a service are shared.
public enum ServiceScope: Sendable, Hashable {
  /// One instance for the app, created on first use and kept.
  case app
  /// A new instance for each use.
  case fresh
}
