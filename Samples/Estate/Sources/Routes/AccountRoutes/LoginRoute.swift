public import Mediation

/// The login: answers whether somebody is logged in afterwards.
public struct LoginRoute: ParameterlessRoute, Hashable {
  /// What the login answers.
  public typealias Output = Bool
  /// The URL of the login.
  public static let pattern: RoutePattern = "estate://login"

  /// Makes the route.
  public init() {}
}
