public import Mediation

/// Whether the app lets failures be provoked; an app that does not say so does not.
public enum DemonstrationKey: RouteEnvironmentKey {
  /// False.
  public static let defaultValue = false
}
