public import Mediation

/// Sets what the app knows about the network, as a phone's network monitor would.
public struct NetworkRoute: Route, Codable, Hashable {
  /// The URLs of the switch.
  public static let pattern: RoutePattern = "estate://settings/network/{status:online|offline|unknown}"

  /// The status.
  public var status: NetworkChoice

  /// Creates the route.
  public init(status: NetworkChoice) { self.status = status }
}
