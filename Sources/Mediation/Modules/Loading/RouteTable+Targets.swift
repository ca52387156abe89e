extension RouteTable {
  /// Declares something that answers routes and is made at its first use.
  ///
  /// - Parameters:
  ///   - name: Unique in the module.
  ///   - make: Makes it, once for all who ask at the same time; the context is the module's own, so that it
  ///     finds services.
  /// - Returns: The handle for the bodies of routes: `action(_:on:)`, or `try await target(context)` in any
  ///   body.
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

  /// Declares a service that a target answers.
  public mutating func action<R: Route, Value: Sendable>(
    _ route: R.Type, on target: LazyTarget<Value>, guards: [any RouteGuard] = [], priority: Int = 0,
    file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (Value, R, RouteContext) async throws -> R.Output
  ) {
    action(route, guards: guards, priority: priority, file: file, line: line) { route, context in
      try await body(try await target(context), route, context)
    }
  }

  /// Declares a service that a target answers and only code in the app can ask for.
  public mutating func action<R: NativeRoute, Value: Sendable>(
    _ route: R.Type, on target: LazyTarget<Value>, guards: [any RouteGuard] = [], file: String = #fileID,
    line: Int = #line,
    _ body: @escaping @Sendable (Value, R, RouteContext) async throws -> R.Output
  ) {
    action(route, guards: guards, file: file, line: line) { route, context in
      try await body(try await target(context), route, context)
    }
  }

  /// Declares a service whose code is made at its first use.
  ///
  /// Choose it for a single route; for several that share something choose `target`. It is kept until the
  /// target of the route's name is released.
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

  /// Declares a service that only code in the app can ask for and whose code is made at its first use.
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
