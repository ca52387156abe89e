public import Mediation

/// The environment key of the navigator that shows the screens of a mediator's routes.
public enum NavigatorKey: RouteEnvironmentKey {
  /// The navigator that shows the screens of routes; nil if the app has none.
  public typealias Value = Navigator?
  /// The remedy for a missing navigator.
  public static var remedy: String { "build the mediator with environment: RouteEnvironment(navigator: …)" }
}
