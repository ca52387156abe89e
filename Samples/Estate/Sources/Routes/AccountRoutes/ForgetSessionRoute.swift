public import Mediation

/// Makes all tokens of the session invalid, as if the server had forgotten it, to show what the app does.
public struct ForgetSessionRoute: ParameterlessRoute, Hashable {
  /// The URL of the action.
  public static let pattern: RoutePattern = "estate://session/forget"

  /// Creates the route.
  public init() {}
}
