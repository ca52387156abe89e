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
    _ make: @escaping ScreenRequest.Factory
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
    _ screens: KeyValuePairs<RoutePattern, ScreenRequest.Factory>, exposure: Exposure = .app,
    style: Presentation = .push,
    guards: [any RouteGuard] = [], file: String = #fileID, line: Int = #line
  ) {
    for (pattern, make) in screens {
      screen(
        at: pattern, exposure: exposure, style: style, guards: guards, file: file, line: line, make)
    }
  }
}

/// The request that a screen declared by a URL pattern is made for.
public struct ScreenRequest: Sendable {
  /// Makes the screen for a matching URL.
  public typealias Factory = @MainActor @Sendable (ScreenRequest) async throws -> any Screen

  /// The URL, including its whole query and its fragment.
  public let url: RouteURL
  /// The decoded text of each placeholder that has a value, except for a tail.
  ///
  /// Read the segments of a tail with `input.rest(_:)`: a segment may contain a slash, so a joined text would
  /// be the same for different URLs.
  public let params: [String: String]
  /// The context of the call: its caller, and access to other routes.
  public let context: RouteContext
  /// The placeholder values by name, with their types.
  public let input: RouteInput

  init(_ input: RouteInput, _ context: RouteContext) {
    url = input.url
    self.input = input
    self.context = context
    var params: [String: String] = [:]
    for name in input.pattern.parameterNames where name != input.pattern.tailName {
      if let text = try? input.all(name, as: String.self).first { params[name] = text }
    }
    self.params = params
  }
}
