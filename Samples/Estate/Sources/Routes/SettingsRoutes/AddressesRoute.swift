public import Mediation

/// The screen of the server's addresses, with their connect times and states.
public struct AddressesRoute: ParameterlessRoute, Hashable {
  /// The URL of the screen.
  public static let pattern: RoutePattern = "estate://settings/network"
  /// The app's own pages in a browser may show it.
  public static let exposure = Exposure.link([.web(host: "127.0.0.1")])

  /// Creates the route.
  public init() {}
}
