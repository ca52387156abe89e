public import Mediation

/// Makes the session's token invalid, as if the server had forgotten the session, to show what the app does.
public struct ExpireSessionRoute: ParameterlessRoute, Hashable {
  /// The URL of the action.
  public static let pattern: RoutePattern = "estate://session/expire"

  /// Creates the route.
  public init() {}
}
