public import Mediation

/// Tells the server that this device visits it, and returns the number of its visits.
public struct VisitRoute: ParameterlessRoute, Hashable {
  /// The number of visits.
  public typealias Output = Int
  /// The URL of the action.
  public static let pattern: RoutePattern = "estate://visit"

  /// Creates the route.
  public init() {}
}
