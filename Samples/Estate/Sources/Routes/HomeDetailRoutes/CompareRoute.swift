public import Mediation

/// The screen of several homes side by side.
public struct CompareRoute: Route, Codable, Hashable {
  /// The URLs of the screen.
  public static let pattern: RoutePattern = "estate://compare?homes={homes}"
  /// The app's own pages in a browser may show it.
  public static let exposure = Exposure.link([.web(host: "127.0.0.1")])

  /// The homes' numbers.
  public var homes: HomeNumbers

  /// Creates a route to a comparison of homes.
  public init(homes: HomeNumbers) { self.homes = homes }
}
