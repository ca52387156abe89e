public import Mediation

/// Uses a server whose address is known only at run time, such as a developer's own.
public struct ServerRoute: Route, Codable, Hashable {
  /// The URLs of the switch.
  public static let pattern: RoutePattern = "estate://settings/server?authority={authority?}"

  /// The server's host and port; nil for that of the environment.
  public var authority: ServerAuthority?

  /// Creates the route.
  public init(authority: ServerAuthority?) { self.authority = authority }
}
