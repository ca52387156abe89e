public import Mediation

/// Makes the session's token invalid, as if it had expired, to show that the app refreshes it.
public struct ExpireSessionRoute: ParameterlessRoute, Hashable {
  /// The URL of the action.
  public static let pattern: RoutePattern = "estate://session/expire"

  /// Creates the route.
  public init() {}
}
