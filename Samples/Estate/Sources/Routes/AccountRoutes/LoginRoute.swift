public import Mediation

/// The login; its result is whether a member is logged in afterwards.
public struct LoginRoute: ParameterlessRoute, Hashable {
  /// The result.
  public typealias Output = Bool
  /// The URL of the login.
  public static let pattern: RoutePattern = "estate://login"
  /// The app's own pages in a browser may show it.
  public static let exposure = Exposure.link([.web(host: "127.0.0.1")])

  /// Creates the route.
  public init() {}
}
