extension RouteTable {
  /// Appends a route with its types erased.
  mutating func declare<R: Route>(
    _ route: R.Type, _ guards: [any RouteGuard], _ priority: Int, needs: [any RouteEnvironmentKey.Type],
    _ file: String, _ line: Int, _ run: @escaping RouteDeclaration.Body
  ) {
    let pattern = R.pattern
    declarations.append(
      RouteDeclaration(
        type: ObjectIdentifier(route), pattern: pattern,
        aliases: R.aliases.map { RouteAlias.completed($0, by: pattern) }, exposure: R.exposure,
        output: Self.name(of: R.Output.self), returns: Self.acceptance(of: R.Output.self),
        purpose: R.purpose, place: place(Self.name(of: route), pattern.text, file, line),
        guards: guards.ordered, priority: priority, needs: needs,
        decode: { input throws(RouteError) in try R(from: input) }, run: run,
        probe: R._probe))
  }

  /// Appends a native route with its types erased.
  mutating func declare<R: NativeRoute>(
    _ route: R.Type, _ guards: [any RouteGuard], needs: [any RouteEnvironmentKey.Type], _ file: String,
    _ line: Int, _ run: @escaping RouteDeclaration.Body
  ) {
    declarations.append(
      RouteDeclaration(
        type: ObjectIdentifier(route), pattern: nil, exposure: nil, output: Self.name(of: R.Output.self),
        returns: Self.acceptance(of: R.Output.self), purpose: R.purpose,
        place: place(Self.name(of: route), nil, file, line), guards: guards.ordered, priority: 0,
        needs: needs, decode: { input throws(RouteError) in throw .notFound(url: input.url.text) }, run: run))
  }

  func place(_ name: String, _ pattern: String?, _ file: String, _ line: Int) -> Place {
    Place(module: module, name: name, pattern: pattern, file: file, line: line)
  }

  /// The name of a type as `String(describing:)` gives it, without that function's check for custom
  /// descriptions.
  static func name(of type: any Any.Type) -> String { _typeName(type, qualified: false) }

  /// The erased value as the type that the route's body takes.
  static func typed<Value: Sendable>(_ value: any Sendable) throws(RouteError) -> Value {
    guard let value = value as? Value else {
      throw .resultMismatch(
        expected: String(describing: Value.self), got: String(describing: Swift.type(of: value)))
    }
    return value
  }

  /// Returns whether a caller that expects a type may open a route with an output.
  ///
  /// Those are the output itself, its optional, `any Sendable`, and of a class its superclasses; with a
  /// subclass only the value itself can tell.
  static func acceptance<Output: Sendable>(
    of output: Output.Type
  ) -> @Sendable (any Any.Type) -> Bool {
    { expected in
      if expected == Output.self || expected == (any Sendable).self { return true }
      return expected == Output?.self || expected is Output.Type || isSubtype(Output.self, of: expected)
    }
  }

  private static func isSubtype<Expected>(_ type: any Any.Type, of expected: Expected.Type) -> Bool {
    type is Expected.Type
  }
}
