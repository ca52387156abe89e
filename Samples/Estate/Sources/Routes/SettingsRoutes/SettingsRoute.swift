public import Mediation

/// The screen of what can be switched while the app runs.
public struct SettingsRoute: ParameterlessRoute, Hashable {
  /// The URL of the settings.
  public static let pattern: RoutePattern = "estate://settings"

  /// Creates the route.
  public init() {}
}
