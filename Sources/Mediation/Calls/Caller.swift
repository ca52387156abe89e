/// The origin of a call and what the caller expects.
struct Caller: Sendable {
  let origin: Origin
  var opener: String?
  let wantsResult: Bool
  /// The types of the only routes that may answer; nil if exposure alone decides.
  ///
  /// For a caller with such a list, no fallback runs.
  var allowed: Set<ObjectIdentifier>?
  /// Receives what the route's code reports while it runs.
  var progress: ProgressLine?
  /// What the caller attached to the call, for the addressed route only.
  var attachment: (any Sendable)?
  /// The measurement that the time of the route does not count towards.
  var ownTime: OwnTime?
}

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
