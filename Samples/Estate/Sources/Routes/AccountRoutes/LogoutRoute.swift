public import Mediation

/// Ends the session; the result is whether there was one.
public struct LogoutRoute: ParameterlessRoute, Hashable {
  /// The result.
  public typealias Output = Bool
  /// The URL of the logout.
  public static let pattern: RoutePattern = "estate://logout"
  /// The line in the manifest.
  public static let purpose = "Ends the session."

  /// Creates the route.
  public init() {}
}
