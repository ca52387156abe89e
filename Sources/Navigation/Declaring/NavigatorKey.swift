public import Mediation

/// The navigator in the environment of a mediator.
public enum NavigatorKey: RouteEnvironmentKey {
  /// The navigator that shows the routes' screens.
  public typealias Value = Navigator
  /// How to lend the navigator.
  public static var remedy: String { "build the mediator with environment: RouteEnvironment(navigator: …)" }
}

extension RouteEnvironment {
  /// Lends a navigator to all routes that show screens.
  public init(navigator: Navigator) {
    self = RouteEnvironment().setting(NavigatorKey.self, to: navigator)
  }
}
