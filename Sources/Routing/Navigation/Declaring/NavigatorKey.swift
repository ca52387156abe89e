import Mediation

/// The environment key of the navigator that shows the screens of a mediator's routes.
package enum NavigatorKey: RouteEnvironmentKey {
  /// The navigator that shows the screens of routes; nil if the app has none.
  package typealias Value = Navigator?
  /// The remedy for a missing navigator.
  package static var remedy: String { "build the mediator with environment: RouteEnvironment(navigator: …)" }
}
