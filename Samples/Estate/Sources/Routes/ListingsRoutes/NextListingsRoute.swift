public import Mediation

/// The page after the one opened last.
public struct NextListingsRoute: ParameterlessRoute, Hashable {
  /// The URL of the next page.
  public static let pattern: RoutePattern = "estate://listings/next"

  /// Creates the route.
  public init() {}
}
