public import Mediation

extension RouteFallback {
  /// Makes the screen for a URL that no route answers, such as the web page of an `https` address.
  public typealias ScreenFactory = @MainActor @Sendable (UnroutedURL, RouteContext) async throws -> any Screen

  /// Shows a screen for a URL that no route answers.
  ///
  /// The entry has the URL, so that it can be restored.
  public static func screen(style: Presentation = .push, _ make: @escaping ScreenFactory) -> RouteFallback {
    RouteFallback { unrouted, context in try await Navigator.show(unrouted, context, style, make) }
  }
}

extension RouteTable {
  /// Declares the screen for the URLs under a prefix that no route answers, such as a web site with a screen
  /// of its own.
  ///
  /// The prefix has literals only; the longest that fits is asked, before the app's fallbacks.
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
    guard let navigator = context[NavigatorKey.self] else { throw NavigatorMissing() }
    let style = PresentationWish.style(of: nil, at: unrouted.text, declared: style)
    let _: RouteOutcome<Void> = try await navigator.run(ScreenCall(unrouted, context, style: style)) { _ in
      try await make(unrouted, context)
    }
  }
}
