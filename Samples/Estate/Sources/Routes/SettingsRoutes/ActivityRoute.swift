public import Mediation

/// The screen of the user's recorded actions, as the server has them.
public struct ActivityRoute: ParameterlessRoute, Hashable {
  /// The URL of the screen.
  public static let pattern: RoutePattern = "estate://settings/activity"

  /// Creates the route.
  public init() {}
}
