public import Mediation

extension RouteTable {
  /// Declares a screen.
  ///
  /// A call returns once the screen is shown.
  ///
  /// - Parameters:
  ///   - style: How the screen enters.
  ///   - guards: Asked after those of the whole app.
  ///   - priority: Settles an overlap with another pattern; the higher wins.
  public mutating func screen<R: Route>(
    _ route: R.Type, style: Presentation = .push, guards: [any RouteGuard] = [], priority: Int = 0,
    file: String = #fileID, line: Int = #line,
    _ make: @escaping @MainActor @Sendable (R, RouteContext) async throws -> any Screen
  ) where R.Output == Void {
    screen(route, style: style, guards: guards, priority: priority, file: file, line: line) {
      route, context, _ in try await make(route, context)
    }
  }

  /// Declares a screen that gives a result by its handle.
  ///
  /// A caller who waits for the result gets it when the handle finishes, and `RouteError.dismissed` if the user leaves the screen before.
  public mutating func screen<R: Route>(
    _ route: R.Type, style: Presentation = .push, guards: [any RouteGuard] = [], priority: Int = 0,
    file: String = #fileID, line: Int = #line,
    _ make:
      @escaping @MainActor @Sendable (R, RouteContext, ScreenHandle<R.Output>) async throws -> any Screen
  ) {
    self.route(
      route, guards: guards, priority: priority, needs: [NavigatorKey.self], file: file, line: line
    ) { route, context in
      try await Self.show(context, style, String(describing: R.self)) { handle in
        try await make(route, context, handle)
      }
    }
  }

  /// Declares a screen that only code in the app can ask for, by value.
  public mutating func screen<R: NativeRoute>(
    _ route: R.Type, style: Presentation = .push, guards: [any RouteGuard] = [], file: String = #fileID,
    line: Int = #line,
    _ make:
      @escaping @MainActor @Sendable (R, RouteContext, ScreenHandle<R.Output>) async throws -> any Screen
  ) {
    self.route(route, guards: guards, needs: [NavigatorKey.self], file: file, line: line) { route, context in
      try await Self.show(context, style, String(describing: R.self)) { handle in
        try await make(route, context, handle)
      }
    }
  }

  private static func show<Output: Sendable>(
    _ context: RouteContext, _ style: Presentation, _ name: String,
    _ make: @escaping @MainActor @Sendable (ScreenHandle<Output>) async throws -> any Screen
  ) async throws -> RouteOutcome<Output> {
    guard let navigator = context[NavigatorKey.self] else { throw NavigatorMissing() }
    return try await navigator.run(
      named: context.url?.text ?? name, style: style, wantsResult: context.wantsResult, make)
  }
}

/// The mediator was built without a navigator; its check of needs makes this unreachable.
struct NavigatorMissing: Error, CustomStringConvertible {
  var description: String { "No navigator to show the screen: \(NavigatorKey.remedy)." }
}
