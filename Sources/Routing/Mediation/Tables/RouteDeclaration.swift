/// A declared route with its types erased.
struct RouteDeclaration: Sendable {
  /// Runs a route's code with the route's value.
  typealias Body = @Sendable (any Sendable, RouteContext) async throws -> (any Sendable)?

  let type: ObjectIdentifier
  let pattern: RoutePattern?
  /// Further patterns of the route.
  var aliases: [RoutePattern] = []
  /// The aliases that have their own reading closure and so need not have the pattern's placeholders.
  var readAliases: Set<RoutePattern> = []
  /// Where the aliases that are not listed by the route's type were declared.
  var aliasPlaces: [RoutePattern: RouteTable.Place] = [:]
  let exposure: Exposure?
  let output: String
  /// Whether a caller that expects a type may open the route.
  let returns: @Sendable (any Any.Type) -> Bool
  var purpose = ""
  let place: RouteTable.Place
  let guards: [any RouteGuard]
  let priority: Int
  let needs: [any RouteEnvironmentKey.Type]
  var decode: @Sendable (RouteInput) throws(RouteError) -> any Sendable
  /// Returns nil if the route was shown and the caller does not wait for a result.
  let run: Body
  /// Returns the identity of the route's value; nil if no URL can carry it.
  let identify: @Sendable (any Sendable) -> RouteIdentity?
  /// Reads the route from sample values; nil for a route that is not `Decodable`.
  var probe: (@Sendable (RouteInput) throws(RouteError) -> Void)?
  /// Whether a type stands for the route; if not, its pattern names it.
  var hasType = true

  var module: String { place.module }

  /// All patterns, the route's own first.
  var patterns: [RoutePattern] { (pattern.map { [$0] } ?? []) + aliases }

  /// Returns one of the patterns; 0 is the route's own.
  func pattern(_ form: Int) -> RoutePattern? {
    form == 0 ? pattern : aliases.indices.contains(form - 1) ? aliases[form - 1] : nil
  }

  /// Returns where one of the patterns was declared.
  func place(of pattern: RoutePattern) -> RouteTable.Place {
    if let place = aliasPlaces[pattern] { return place }
    return RouteTable.Place(
      module: place.module, name: place.name, pattern: pattern.text, file: place.file, line: place.line)
  }
}

/// A fallback for the URLs under a prefix.
struct PrefixFallback: Sendable {
  let prefix: RoutePattern
  let fallback: RouteFallback
  let place: RouteTable.Place

  /// Whether the URL begins with the literals of the prefix.
  func covers(_ unrouted: UnroutedURL) -> Bool {
    guard prefix.scheme == unrouted.scheme, prefix.host.utf8.elementsEqual(unrouted.host.utf8) else {
      return false
    }
    if prefix.segments.count == 1 { return true }
    guard let url = unrouted.url, url.labels.count > prefix.segments.count else { return false }
    return prefix.segments.enumerated().allSatisfy { index, segment in
      guard case .literal(let text) = segment else { return false }
      return url.labelBytes(index + 1).elementsEqual(text.utf8)
    }
  }
}

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
        identify: { value in (value as? R).flatMap { RouteIdentity($0) } }, probe: R._probe))
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
        needs: needs, decode: { input throws(RouteError) in throw .notFound(url: input.url.text) }, run: run,
        identify: { _ in nil }))
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
