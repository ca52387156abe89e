public import Mediation

/// The next page of the list that is shown last.
public struct NextListingsRoute: ParameterlessRoute, Hashable {
  /// The URL of the next page.
  public static let pattern: RoutePattern = "estate://listings/next"

  /// Makes the route.
  public init() {}
}
