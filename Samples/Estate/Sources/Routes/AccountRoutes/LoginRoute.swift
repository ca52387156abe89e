public import Mediation

/// The login; its result is whether a member is logged in afterwards.
public struct LoginRoute: ParameterlessRoute, Hashable {
  /// The result.
  public typealias Output = Bool
  /// The URL of the login.
  public static let pattern: RoutePattern = "estate://login"

  /// Creates the route.
  public init() {}
}
