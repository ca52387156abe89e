/// The route found for a call, with its parameters.
struct RouteTarget: Sendable {
  let route: RegisteredRoute
  let value: any Sendable
  /// The URL of the call; nil if it has none.
  let text: String?
  /// The parameters in the URL.
  let input: RouteInput?

  var summary: RouteSummary { RouteSummary(route: route, url: text, input: input) }

  /// The target's name in a trail.
  var label: String { text ?? route.name }
}
