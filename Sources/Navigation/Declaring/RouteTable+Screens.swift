public import Mediation

extension RouteTable {
  /// Declares a screen.
  ///
  /// A call returns once the screen is shown.
  ///
  /// - Parameters:
  ///   - style: How the screen enters, unless the code that calls says otherwise.
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
  /// A caller who waits for the result gets it when the handle finishes, and `RouteError.dismissed` if the
  /// user leaves the screen before.
  public mutating func screen<R: Route>(
    _ route: R.Type, style: Presentation = .push, guards: [any RouteGuard] = [], priority: Int = 0,
    file: String = #fileID, line: Int = #line,
    _ make:
      @escaping @MainActor @Sendable (R, RouteContext, ScreenHandle<R.Output>) async throws -> any Screen
  ) {
    self.route(
      route, guards: guards, priority: priority, needs: [NavigatorKey.self], file: file, line: line
    ) { route, context in
      try await Self.show(context, R.self, style) { handle in try await make(route, context, handle) }
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
      try await Self.show(context, R.self, style) { handle in try await make(route, context, handle) }
    }
  }

  /// Declares one screen that is made already; whoever asks for it while it is shown is led back to it.
  ///
  /// Choose it for what must not be there twice, such as a player. The table keeps the screen as long as the
  /// mediator lives; every other form of `screen` makes a new one for each call and keeps none.
  public mutating func screen<R: Route>(
    _ route: R.Type, instance: any Screen & AnyObject, style: Presentation = .push,
    guards: [any RouteGuard] = [], priority: Int = 0, file: String = #fileID, line: Int = #line
  ) where R.Output == Void {
    self.route(
      route, guards: guards, priority: priority, needs: [NavigatorKey.self], file: file, line: line
    ) { _, context in
      try await Self.show(context, R.self, style, instance)
    }
  }

  private static func show<Output: Sendable>(
    _ context: RouteContext, _ route: Any.Type, _ style: Presentation,
    _ make: @escaping @MainActor @Sendable (ScreenHandle<Output>) async throws -> any Screen
  ) async throws -> RouteOutcome<Output> {
    guard let navigator = context[NavigatorKey.self] else { throw NavigatorMissing() }
    let style = PresentationWish.style(of: route, at: context.url?.text, declared: style)
    return try await navigator.run(
      ScreenCall(context, name: String(describing: route), style: style), make)
  }

  private static func show(
    _ context: RouteContext, _ route: Any.Type, _ style: Presentation, _ instance: any Screen & AnyObject
  ) async throws -> RouteOutcome<Void> {
    guard let navigator = context[NavigatorKey.self] else { throw NavigatorMissing() }
    if try await navigator.reveal(instance) { return .shown }
    return try await show(context, route, style) { (_: ScreenHandle<Void>) in instance }
  }
}

extension Navigator {
  /// Leads back to the entry that shows an object; whether there is one.
  func reveal(_ object: any Screen & AnyObject) throws -> Bool {
    guard let id = entry(showing: object) else { return false }
    try perform(.reveal(id))
    return true
  }
}

/// The mediator was built without a navigator; its check of needs makes this unreachable for all but
/// fallbacks.
struct NavigatorMissing: Error, CustomStringConvertible {
  var description: String { "No navigator to show the screen: \(NavigatorKey.remedy)." }
}
