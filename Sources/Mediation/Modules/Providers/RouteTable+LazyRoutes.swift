extension RouteTable {
  /// Declares an action whose body is created on first use.
  ///
  /// The route is known, and checked against those of other modules, before its body is created. The body is
  /// kept until the app releases it by the names of the module and of the route's type, joined by a dot. If
  /// several routes share an expensive object, declare it with `provide` instead.
  ///
  /// - Parameter load: Returns the route's body; called once for all concurrent callers. After a failure the
  ///   next call tries again.
  public mutating func lazy<R: Route>(
    _ route: R.Type, guards: [any RouteGuard] = [], priority: Int = 0, file: String = #fileID,
    line: Int = #line,
    _ load:
      @escaping @Sendable (RouteContext) async throws ->
      @Sendable (R, RouteContext) async throws -> R.Output
  ) {
    let body = addBody(of: route, file, line, load)
    action(route, guards: guards, priority: priority, file: file, line: line) { route, context in
      try await body.get(context.mediator, context.ownTime)(route, context)
    }
  }

  /// Declares an action that only code in the app can call and whose body is created on first use.
  public mutating func lazy<R: NativeRoute>(
    _ route: R.Type, guards: [any RouteGuard] = [], file: String = #fileID, line: Int = #line,
    _ load:
      @escaping @Sendable (RouteContext) async throws ->
      @Sendable (R, RouteContext) async throws -> R.Output
  ) {
    let body = addBody(of: route, file, line, load)
    action(route, guards: guards, file: file, line: line) { route, context in
      try await body.get(context.mediator, context.ownTime)(route, context)
    }
  }

  private mutating func addBody<R, Body: Sendable>(
    of route: R.Type, _ file: String, _ line: Int,
    _ load: @escaping @Sendable (RouteContext) async throws -> Body
  ) -> LazyObject<Body> {
    let name = String(describing: route)
    return addObject(
      .body(ofRoute: ObjectIdentifier(route)), name, "The body of \(name)", .untilReleased, file, line, load)
  }
}
