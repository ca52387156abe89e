/// What is known about a route that is about to be opened, for guards and observers.
public struct RouteSummary: Sendable, Hashable {
  /// The name of the route's type.
  public let name: String
  /// The module that declares it.
  public let module: String
  /// Its pattern; nil for a native route.
  public let pattern: RoutePattern?
  /// The URL asked for, or that of the typed route; nil if the route has none.
  public let url: String?
  /// The text of each parameter by placeholder; of a tail the first segment, for a native route none.
  public let parameters: [String: String]
  /// Who may reach it by a URL; nil for a native route.
  public let exposure: Exposure?
  /// The name of the type it answers.
  public let output: String
}
