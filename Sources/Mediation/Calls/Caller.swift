/// Who calls, and what for.
struct Caller: Sendable {
  let origin: Origin
  var opener: String?
  let wantsResult: Bool
  /// The only routes that may answer, by their types; nil if exposure alone decides.
  ///
  /// No fallback answers a caller that has them.
  var allowed: Set<ObjectIdentifier>?
  /// Takes what the route's code reports while it runs.
  var progress: ProgressLine?
}

/// A route found for a call, with its parameters read.
struct RouteTarget: Sendable {
  let declaration: RouteDeclaration
  let value: any Sendable
  let summary: RouteSummary
  let url: RouteURL?

  /// What stands for the target in a trail.
  var label: String { summary.url ?? summary.name }
}
