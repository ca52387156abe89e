public import Mediation

/// The screen of the user's recorded actions, as the server has them.
public struct ActivityRoute: ParameterlessRoute, Hashable {
  /// The URL of the screen.
  public static let pattern: RoutePattern = "estate://settings/activity"
  /// The app's own pages in a browser may show it.
  public static let exposure = Exposure.link([.web(host: "127.0.0.1")])

  /// Creates the route.
  public init() {}
}
