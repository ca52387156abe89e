public import Mediation

extension RouteFallback {
  /// Makes the screen for a URL that matches no route, such as a web view for an `https` URL.
  public typealias ScreenFactory = @MainActor @Sendable (UnroutedURL, RouteContext) async throws -> any Screen

  /// Shows a screen for a URL that matches no route.
  ///
  /// The entry keeps the URL, so that it can be restored.
  public static func screen(style: Presentation = .push, _ make: @escaping ScreenFactory) -> RouteFallback {
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
    _ make: @escaping RouteFallback.ScreenFactory
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
