/// An object that answers one route.
///
/// Choose it when the answer has state or members of its own; for a few lines choose a closure.
public protocol RouteHandler<Handled>: Sendable {
  /// The route that it answers.
  associatedtype Handled: Route
  /// Answers a call.
  func answer(_ route: Handled, _ context: RouteContext) async throws -> Handled.Output
}

extension RouteTable {
  /// Declares a service that an instance answers.
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
