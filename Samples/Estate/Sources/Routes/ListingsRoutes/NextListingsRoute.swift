public import Mediation

/// Loads the next page of the list opened last, which replaces the page that it shows.
public struct NextListingsRoute: ParameterlessRoute, Hashable {
  /// The URL of the next page.
  public static let pattern: RoutePattern = "estate://listings/next"

  /// Creates the route.
  public init() {}
}
