/// An object that answers one route.
///
/// Use a handler when the answer needs state or helper methods; for a few lines use a closure.
public protocol RouteHandler<Handled>: Sendable {
  /// The route that the handler answers.
  associatedtype Handled: Route
  /// Returns the result of a call.
  func answer(_ route: Handled, _ context: RouteContext) async throws -> Handled.Output
}

extension RouteTable {
  /// Declares an action that a handler answers.
  public mutating func action(
    _ handler: some RouteHandler, guards: [any RouteGuard] = [], priority: Int = 0,
    file: String = #fileID, line: Int = #line
  ) {
    add(handler, guards, priority, file, line)
  }

  private mutating func add<H: RouteHandler>(
    _ handler: H, _ guards: [any RouteGuard], _ priority: Int, _ file: String, _ line: Int
  ) {
    action(H.Handled.self, guards: guards, priority: priority, file: file, line: line) { route, context in
      try await handler.answer(route, context)
    }
  }
}
