extension RouteTable {
  /// Declares a route by its pattern alone, without a type.
  ///
  /// For kinds of routes other than actions, such as screens that no code opens by value. The route is
  /// reachable only by URL.
  ///
  /// - Parameters:
  ///   - name: The route's name in faults and events.
  ///   - needs: What the environment must hold; a missing value is a fault of the table.
  public mutating func route<Output: Sendable>(
    at pattern: RoutePattern, named name: String, exposure: Exposure, guards: [any RouteGuard] = [],
    priority: Int = 0, needs: [any RouteEnvironmentKey.Type] = [], file: String, line: Int,
    _ body: @escaping @Sendable (RouteInput, RouteContext) async throws -> RouteOutcome<Output>
  ) {
    // An object's address is as unique as a type's, as long as the closure below retains the object.
    let identity = RouteIdentity()
    declarations.append(
      RouteDeclaration(
        type: ObjectIdentifier(identity), pattern: pattern, exposure: exposure,
        output: String(describing: Output.self),
        place: RoutePlace(module: module, name: name, pattern: pattern.text, file: file, line: line),
        guards: guards.ordered, priority: priority, needs: needs,
        decode: { input throws(RouteError) in input },
        run: { [identity] input, context in
          withExtendedLifetime(identity) {}
          return try await Self.erase(input, context, body)
        }))
  }
}

/// The identity of a route without a type.
private final class RouteIdentity: Sendable {}
