public import Mediation

/// The screen of what can be switched while the app runs.
public struct SettingsRoute: ParameterlessRoute, Hashable {
  /// The URL of the settings.
  public static let pattern: RoutePattern = "estate://settings"
  /// The app's own pages in a browser may show it.
  public static let exposure = Exposure.link([.web(host: "127.0.0.1")])

  /// Creates the route.
  public init() {}
}
