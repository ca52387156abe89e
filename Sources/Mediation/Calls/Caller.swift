/// Who calls, and what for.
struct Caller: Sendable {
  let origin: Origin
  var opener: String?
  let wantsResult: Bool
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
