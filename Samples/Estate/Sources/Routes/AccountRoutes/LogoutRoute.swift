public import Mediation

/// Ends the session: answers whether there was one.
public struct LogoutRoute: ParameterlessRoute, Hashable {
  /// What the logout answers.
  public typealias Output = Bool
  /// The URL of the logout.
  public static let pattern: RoutePattern = "estate://logout"

  /// Makes the route.
  public init() {}
}
