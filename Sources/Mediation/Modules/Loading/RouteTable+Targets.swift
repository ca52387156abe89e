extension RouteTable {
  /// Declares an object that answers routes and is created on first use.
  ///
  /// - Parameters:
  ///   - name: The target's name, unique in the module.
  ///   - make: Creates the target, once for all concurrent callers. It gets a context of the module, with
  ///     which it can look up services.
  /// - Returns: The handle for route bodies: use `action(_:on:)`, or `try await target(context)` in any body.
  public mutating func target<Value: Sendable>(
    _ name: String, lifetime: TargetLifetime = .kept, file: String = #fileID, line: Int = #line,
    _ make: @escaping @Sendable (RouteContext) async throws -> Value
  ) -> LazyTarget<Value> {
    let target = LazyTarget(
      LazyRecipe("\(module).\(name)", module: module, loads: loads, make), lifetime)
    let place = RoutePlace(module: module, name: "Target \(name)", pattern: nil, file: file, line: line)
    targets.append(TargetEntry(target, place))
    return target
  }

  /// Declares an action that a target answers.
  public mutating func action<R: Route, Value: Sendable>(
    _ route: R.Type, on target: LazyTarget<Value>, guards: [any RouteGuard] = [], priority: Int = 0,
    file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (Value, R, RouteContext) async throws -> R.Output
  ) {
    action(route, guards: guards, priority: priority, file: file, line: line) { route, context in
      try await body(try await target(context), route, context)
    }
  }

  /// Declares an action that a target answers and only code in the app can call.
  public mutating func action<R: NativeRoute, Value: Sendable>(
    _ route: R.Type, on target: LazyTarget<Value>, guards: [any RouteGuard] = [], file: String = #fileID,
    line: Int = #line,
    _ body: @escaping @Sendable (Value, R, RouteContext) async throws -> R.Output
  ) {
    action(route, guards: guards, file: file, line: line) { route, context in
      try await body(try await target(context), route, context)
    }
  }

  /// Declares an action whose body is created on first use.
  ///
  /// Use it for a single route; for several routes that share an object use `target`. The body is kept until
  /// the target named after the route is released.
  ///
  /// - Parameter load: Returns the route's body.
  public mutating func lazy<R: Route>(
    _ route: R.Type, guards: [any RouteGuard] = [], priority: Int = 0, file: String = #fileID,
    line: Int = #line,
    _ load:
      @escaping @Sendable (RouteContext) async throws ->
      @Sendable (R, RouteContext) async throws -> R.Output
  ) {
    let body = target(String(describing: route), file: file, line: line, load)
    action(route, guards: guards, priority: priority, file: file, line: line) { route, context in
      try await body(context)(route, context)
    }
  }

  /// Declares an action that only code in the app can call and whose body is created on first use.
  public mutating func lazy<R: NativeRoute>(
    _ route: R.Type, guards: [any RouteGuard] = [], file: String = #fileID, line: Int = #line,
    _ load:
      @escaping @Sendable (RouteContext) async throws ->
      @Sendable (R, RouteContext) async throws -> R.Output
  ) {
    let body = target(String(describing: route), file: file, line: line, load)
    action(route, guards: guards, file: file, line: line) { route, context in
      try await body(context)(route, context)
    }
  }
}
