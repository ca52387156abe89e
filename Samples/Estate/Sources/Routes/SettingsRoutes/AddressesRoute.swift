public import Mediation

/// The screen of the server's addresses, with their connect times and states.
public struct AddressesRoute: ParameterlessRoute, Hashable {
  /// The URL of the screen.
  public static let pattern: RoutePattern = "estate://settings/network"

  /// Creates the route.
  public init() {}
}
