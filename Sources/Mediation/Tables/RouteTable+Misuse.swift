// Without these overloads the compiler reports a wrong result type as a missing conformance to NativeRoute,
// because that is the overload that it tries last.

extension RouteTable {
  /// Unavailable: the body returns another type than the route's `Output`.
  @available(
    *, unavailable,
    message: "the body does not return the route's Output; return that type, or change the route's Output"
  )
  public mutating func action<R: Route, Answer>(
    _ route: R.Type, guards: [any RouteGuard] = [], priority: Int = 0, file: String = #fileID,
    line: Int = #line,
    _ body: @escaping @Sendable (R, RouteContext) async throws -> Answer
  ) {}

  /// Unavailable: the body returns another type than the route's `Output`.
  @available(
    *, unavailable,
    message: "the body does not return the route's Output; return that type, or change the route's Output"
  )
  public mutating func action<R: NativeRoute, Answer>(
    _ route: R.Type, guards: [any RouteGuard] = [], file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (R, RouteContext) async throws -> Answer
  ) {}
}
