extension RouteTable {
  /// Declares a route by its pattern alone, without a type.
  ///
  /// For kinds of routes other than actions, such as screens that no code opens by value. The route is
  /// reachable only by URL.
  ///
  /// - Parameters:
  ///   - name: The route's name in faults and events.
  ///   - needs: What the environment must hold; a missing value is a fault of the table.
  package mutating func route<Output: Sendable>(
    at pattern: RoutePattern, named name: String, exposure: Exposure, guards: [any RouteGuard] = [],
    priority: Int = 0, needs: [any RouteEnvironmentKey.Type] = [], file: String, line: Int,
    _ body: @escaping @Sendable (RouteInput, RouteContext) async throws -> RouteOutcome<Output>
  ) {
    declare(at: pattern, name, exposure, guards, priority, needs, file, line, returning: Output.self) {
      value, context in try await body(try Self.typed(value), context).answer
    }
  }

  /// Declares an action by its pattern alone, for patterns that are made at run time.
  ///
  ///     for page in pages {
  ///       let pattern = try RoutePattern("estate://page/\(page.name)")
  ///       table.action(at: pattern, named: page.name) { _, _ in page.text }
  ///     }
  ///
  /// The route is reachable only by URL; its code reads the parameters from the ``RouteInput``.
  ///
  /// - Parameters:
  ///   - name: The route's name in faults and events.
  ///   - exposure: Who may open the route; by default code of the app.
  ///   - guards: Guards that run after those of the app and of the module.
  ///   - priority: Decides an overlap with another pattern if neither is more specific; the higher one wins.
  public mutating func action<Output: Sendable>(
    at pattern: RoutePattern, named name: String, exposure: Exposure = .app, guards: [any RouteGuard] = [],
    priority: Int = 0, file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (RouteInput, RouteContext) async throws -> Output
  ) {
    declare(at: pattern, name, exposure, guards, priority, [], file, line, returning: Output.self) {
      value, context in try await body(try Self.typed(value), context)
    }
  }

  private mutating func declare<Output: Sendable>(
    at pattern: RoutePattern, _ name: String, _ exposure: Exposure, _ guards: [any RouteGuard],
    _ priority: Int, _ needs: [any RouteEnvironmentKey.Type], _ file: String, _ line: Int,
    returning output: Output.Type, _ run: @escaping RouteDeclaration.Body
  ) {
    // An object's address is as unique as a type's, as long as the closure below retains the object.
    let token = RouteToken()
    declarations.append(
      RouteDeclaration(
        type: ObjectIdentifier(token), pattern: pattern, exposure: exposure,
        output: Self.name(of: output), returns: Self.acceptance(of: output),
        place: place(name, pattern.text, file, line),
        guards: guards.ordered, priority: priority, needs: needs,
        decode: { input throws(RouteError) in input },
        run: { [token] input, context in
          withExtendedLifetime(token) {}
          return try await run(input, context)
        }, identify: { value in (value as? RouteInput).flatMap { RouteIdentity($0) } }, hasType: false))
  }
}

/// Stands for the type of a route without one.
private final class RouteToken: Sendable {}

/// The result of running a route's body.
package enum RouteOutcome<Output: Sendable>: Sendable {
  /// The route returned a value.
  case value(Output)
  /// The route was shown to the user and the caller does not wait for a result.
  case shown

  /// The value; nil if the route was shown.
  var answer: (any Sendable)? {
    if case .value(let output) = self { output } else { nil }
  }
}
