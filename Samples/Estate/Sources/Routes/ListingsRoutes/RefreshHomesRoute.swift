public import Mediation

/// Loads the list opened last with `BrowseRoute` again, from its first page and not from the cache.
public struct RefreshHomesRoute: ParameterlessRoute, Hashable {
  /// The URL of the refresh.
  public static let pattern: RoutePattern = "estate://browse/refresh"

  /// Creates the route.
  public init() {}
}
