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
}

/// The route found for a call, with its parameters.
struct RouteTarget: Sendable {
  let declaration: RouteDeclaration
  let value: any Sendable
  let summary: RouteSummary
  let url: RouteURL?

  /// The target's name in a trail.
  var label: String { summary.url ?? summary.name }
}
