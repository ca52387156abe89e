public import Mediation

/// Adds the next page to the list opened last with `BrowseRoute`, or loads the page that has failed again.
public struct MoreHomesRoute: ParameterlessRoute, Hashable {
  /// The URL of the next page.
  public static let pattern: RoutePattern = "estate://browse/more"

  /// Creates the route.
  public init() {}
}
