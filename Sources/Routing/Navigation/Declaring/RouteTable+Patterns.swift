public import Mediation

extension RouteTable {
  /// Declares a screen by the pattern of its URLs, without a route type.
  ///
  /// Use it for a screen that no code calls by value, such as a page of the app's help; with a route type,
  /// `screen(_:)` lets the compiler check callers and parameters. One factory can serve several patterns.
  ///
  /// - Parameters:
  ///   - exposure: Which callers may open the screen by URL; by default only code of the app.
  ///   - style: How the screen is presented, unless the caller overrides it.
  ///   - guards: Run after the guards of the app.
  ///   - priority: Resolves an overlap with another pattern; the higher priority wins.
  public mutating func screen(
    at pattern: RoutePattern, exposure: Exposure = .app, style: Presentation = .push,
    guards: [any RouteGuard] = [], priority: Int = 0, file: String = #fileID, line: Int = #line,
    _ make: @escaping @MainActor @Sendable (ScreenRequest) async throws -> any Screen
  ) {
    route(
      at: pattern, named: "A screen", exposure: exposure, guards: guards, priority: priority,
      needs: [NavigatorKey.self], file: file, line: line
    ) { input, context -> RouteOutcome<Void> in
      guard let navigator = context[NavigatorKey.self] else { throw MissingNavigatorError() }
      let style = context.style(declared: style)
      let parameters = ScreenParameters(
        context, name: pattern.text, identity: RouteIdentity(input), style: style)
      return try await navigator.run(parameters) { (_: ScreenHandle<Void>) in
        try await make(ScreenRequest(input, context))
      }
    }
  }

  /// Declares several screens by the patterns of their URLs.
  ///
  /// ```swift
  /// table.screens([
  ///   "estate://about": { _ in TextScreen(title: "About") },
  ///   "estate://help/{topic}": { request in HelpScreen(topic: request.params["topic"]) },
  /// ])
  /// ```
  ///
  /// The mediator reports a repeated pattern as a fault.
  public mutating func screens(
    _ screens: KeyValuePairs<RoutePattern, @MainActor @Sendable (ScreenRequest) async throws -> any Screen>,
    exposure: Exposure = .app,
    style: Presentation = .push,
    guards: [any RouteGuard] = [], file: String = #fileID, line: Int = #line
  ) {
    for (pattern, make) in screens {
      screen(
        at: pattern, exposure: exposure, style: style, guards: guards, file: file, line: line, make)
    }
  }
}
