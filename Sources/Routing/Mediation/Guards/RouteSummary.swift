/// The facts about a route that is about to be opened, for guards and observers.
public struct RouteSummary: Sendable {
  let route: RegisteredRoute
  let place: CallPlace
  /// The pattern of the URL; nil for a native route.
  let matched: RoutePattern?

  /// The URL of the call, or the URL that the typed route writes; nil if it has none.
  public var url: String? { place.url?.text }
  private var input: RouteInput? {
    guard let matched, let url = place.url else { return nil }
    return RouteInput(url, matching: matched)
  }

  /// The name of the route's type.
  public var name: String { route.name }
  /// The module that declares the route.
  public var module: String { route.module }
  /// The route's pattern; nil for a native route.
  public var pattern: RoutePattern? { route.pattern }
  /// The text of each parameter by placeholder; empty for a native route.
  ///
  /// For a repeated query field or a tail, the first value.
  public var parameters: [String: String] { input?.firstTexts() ?? [:] }
  /// The callers that may reach the route by a URL; nil for a native route.
  package var exposure: Exposure? { route.exposure }
  /// The name of the route's output type.
  package var output: String { route.declaration.output }

  /// Returns the texts of a placeholder: all values of a repeated query field, or all segments of a tail.
  ///
  /// Empty if the URL has no value for it.
  package func values(of name: String) -> [String] { (try? input?.all(name)) ?? [] }
}
