public import Mediation

extension RouteTable {
  /// Declares a screen.
  ///
  /// A call returns once the screen is shown.
  ///
  /// - Parameters:
  ///   - style: How the screen is presented, unless the caller overrides it.
  ///   - guards: Run after the guards of the app.
  ///   - priority: Resolves an overlap with another pattern; the higher priority wins.
  public mutating func screen<R: Route>(
    _ route: R.Type, style: Presentation = .push, guards: [any RouteGuard] = [], priority: Int = 0,
    file: String = #fileID, line: Int = #line,
    _ make: @escaping @MainActor @Sendable (R, RouteContext) async throws -> any Screen
  ) where R.Output == Void {
    screen(route, style: style, guards: guards, priority: priority, file: file, line: line) {
      route, context, _ in try await make(route, context)
    }
  }

  /// Declares a screen that returns a result through its handle.
  ///
  /// A caller that waits for the result receives it when the handle finishes, or `RouteError.dismissed` if
  /// the user leaves the screen first.
  public mutating func screen<R: Route>(
    _ route: R.Type, style: Presentation = .push, guards: [any RouteGuard] = [], priority: Int = 0,
    file: String = #fileID, line: Int = #line,
    _ make:
      @escaping @MainActor @Sendable (R, RouteContext, ScreenHandle<R.Output>) async throws -> any Screen
  ) {
    self.route(
      route, guards: guards, priority: priority, needs: [NavigatorKey.self], file: file, line: line
    ) { route, context in
      try await Self.show(
        context, R.self, RouteIdentity(route), style, above: { try context.parents(of: route) }
      ) { handle in try await make(route, context, handle) }
    }
  }

  /// Declares a screen that only code of the app can request, by value.
  public mutating func screen<R: NativeRoute>(
    _ route: R.Type, style: Presentation = .push, guards: [any RouteGuard] = [], file: String = #fileID,
    line: Int = #line,
    _ make:
      @escaping @MainActor @Sendable (R, RouteContext, ScreenHandle<R.Output>) async throws -> any Screen
  ) {
    self.route(route, guards: guards, needs: [NavigatorKey.self], file: file, line: line) { route, context in
      try await Self.show(context, R.self, nil, style) { handle in try await make(route, context, handle) }
    }
  }

  /// Declares a screen that exists once: a call while it is shown returns to it instead of showing it again.
  ///
  /// Use it for a screen that must not exist twice, such as a player. The table retains the screen for the
  /// lifetime of the mediator; every other form of `screen` makes a new screen for each call and retains
  /// none.
  public mutating func screen<R: Route>(
    _ route: R.Type, instance: any Screen & AnyObject, style: Presentation = .push,
    guards: [any RouteGuard] = [], priority: Int = 0, file: String = #fileID, line: Int = #line
  ) where R.Output == Void {
    self.route(
      route, guards: guards, priority: priority, needs: [NavigatorKey.self], file: file, line: line
    ) { route, context in
      try await Self.show(
        context, R.self, RouteIdentity(route), style, instance: instance,
        above: { try context.parents(of: route) }
      ) { (_: ScreenHandle<Void>) in instance }
    }
  }

  private static func show<Output: Sendable>(
    _ context: RouteContext, _ route: Any.Type, _ identity: RouteIdentity?, _ style: Presentation,
    instance: (any Screen & AnyObject)? = nil,
    above parents: @MainActor @Sendable () throws -> ParentStack? = { nil },
    _ make: @escaping @MainActor @Sendable (ScreenHandle<Output>) async throws -> any Screen
  ) async throws -> RouteOutcome<Output> {
    guard let navigator = context[NavigatorKey.self] else { throw MissingNavigatorError() }
    let style = context.style(declared: style)
    let parameters = ScreenParameters(
      context, name: String(describing: route), type: ObjectIdentifier(route), identity: identity,
      style: style)
    return try await navigator.run(parameters, instance: instance, above: parents, make)
  }
}

extension Navigator {
  /// Returns to the entry that shows an object, and reports whether there is one.
  func reveal(_ object: any Screen & AnyObject) throws -> Bool {
    guard let id = entry(showing: object) else { return false }
    try perform(.reveal(id))
    return true
  }
}

/// The error of a mediator that was built without a navigator.
///
/// Reachable only from fallbacks: for routes, the mediator's check of needs reports it first.
struct MissingNavigatorError: Error, CustomStringConvertible {
  var description: String { "There is no navigator to show the screen: \(NavigatorKey.remedy)." }
}

extension RouteFallback {
  /// Makes the screen for a URL that matches no route, such as a web view for an `https` URL.
  typealias ScreenFactory = @MainActor @Sendable (UnroutedURL, RouteContext) async throws -> any Screen

  /// Shows a screen for a URL that matches no route.
  ///
  /// The entry keeps the URL, so that it can be restored.
  public static func screen(
    style: Presentation = .push,
    _ make: @escaping @MainActor @Sendable (UnroutedURL, RouteContext) async throws -> any Screen
  ) -> RouteFallback {
    RouteFallback { unrouted, context in try await Navigator.show(unrouted, context, style, make) }
  }
}

extension RouteTable {
  /// Declares the screen for URLs under a prefix that match no route, such as a web site that has a screen of
  /// its own.
  ///
  /// The prefix consists of literals only. The longest matching prefix is used, before the app's fallbacks.
  public mutating func screen(
    under prefix: RoutePattern, style: Presentation = .push, file: String = #fileID, line: Int = #line,
    _ make: @escaping @MainActor @Sendable (UnroutedURL, RouteContext) async throws -> any Screen
  ) {
    fallback(under: prefix, file: file, line: line) { unrouted, context in
      try await Navigator.show(unrouted, context, style, make)
    }
  }
}

extension Navigator {
  fileprivate nonisolated static func show(
    _ unrouted: UnroutedURL, _ context: RouteContext, _ style: Presentation,
    _ make: RouteFallback.ScreenFactory
  ) async throws {
    guard let navigator = context[NavigatorKey.self] else { throw MissingNavigatorError() }
    let style = context.style(declared: style)
    let _: RouteOutcome<Void> = try await navigator.run(ScreenParameters(unrouted, context, style: style)) {
      _ in
      try await make(unrouted, context)
    }
  }
}

extension RouteEnvironment {
  /// Creates an environment that provides a navigator to all routes that show screens.
  public init(navigator: Navigator) {
    self = RouteEnvironment().setting(NavigatorKey.self, to: navigator)
  }
}
