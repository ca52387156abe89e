public import Mediation

/// The screen of several homes side by side.
public struct CompareRoute: Route, Codable, Hashable {
  /// The URLs of the screen.
  public static let pattern: RoutePattern = "estate://compare?homes={homes}"

  /// The homes' numbers.
  public var homes: HomeNumbers

  /// Creates a route to a comparison of homes.
  public init(homes: HomeNumbers) { self.homes = homes }
}
