/// The facts about a route that is about to be opened, for guards and observers.
public struct RouteSummary: Sendable, Hashable {
  /// The name of the route's type.
  public let name: String
  /// The module that declares the route.
  public let module: String
  /// The route's pattern; nil for a native route.
  public let pattern: RoutePattern?
  /// The URL of the call, or the URL that the typed route writes; nil if it has none.
  public let url: String?
  /// The text of each parameter by placeholder; the first segment of a tail; empty for a native route.
  public let parameters: [String: String]
  /// The callers that may reach the route by a URL; nil for a native route.
  public let exposure: Exposure?
  /// The name of the route's output type.
  public let output: String
}
