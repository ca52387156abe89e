/// The declarations of one module.
///
/// Kinds of routes beyond actions, such as screens, are extensions of this type that call `route`.
public struct RouteTable: Sendable {
  /// The name of the module.
  public let module: String
  var declarations: [RouteDeclaration] = []
  var aliases: [RouteAlias] = []
  private(set) var fallbacks: [PrefixFallback] = []
  var moduleGuards: [any RouteGuard] = []
  private(set) var moduleFallbacks: [ModuleFallback] = []

  var services: [ServiceEntry] = []
  var targets: [TargetEntry] = []
  var listeners: [LifecycleListener] = []
  let loads: WaitGraph

  init(module: String, loads: WaitGraph) {
    self.module = module
    self.loads = loads
  }

  /// Declares an action: a closure that answers the route.
  ///
  /// - Parameters:
  ///   - guards: Guards that run after those of the app and of the module.
  ///   - priority: Decides an overlap with another pattern if neither is more specific; the higher one wins.
  public mutating func action<R: Route>(
    _ route: R.Type, guards: [any RouteGuard] = [], priority: Int = 0, file: String = #fileID,
    line: Int = #line,
    _ body: @escaping @Sendable (R, RouteContext) async throws -> R.Output
  ) {
    self.route(route, guards: guards, priority: priority, file: file, line: line) { route, context in
      .value(try await body(route, context))
    }
  }

  /// Declares an action that only code in the app can call, by value.
  public mutating func action<R: NativeRoute>(
    _ route: R.Type, guards: [any RouteGuard] = [], file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (R, RouteContext) async throws -> R.Output
  ) {
    self.route(route, guards: guards, file: file, line: line) { route, context in
      .value(try await body(route, context))
    }
  }

  /// Declares a fallback for the URLs under a prefix that no route matches.
  ///
  /// The prefix consists of literals only, such as `estate://home` or, for a web site with its own screen,
  /// `https://news.example`. The fallback with the longest matching prefix runs first, then the module's,
  /// then the app's.
  public mutating func fallback<Output: Sendable>(
    under prefix: RoutePattern, file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (UnroutedURL, RouteContext) async throws -> Output
  ) {
    let place = RoutePlace(module: module, name: "A fallback", pattern: prefix.text, file: file, line: line)
    fallbacks.append(PrefixFallback(prefix: prefix, fallback: RouteFallback(body), place: place))
  }

  /// Declares a fallback for unmatched URLs that begin like one of this module's routes.
  ///
  /// At least the scheme and the host are equal. If several modules declare such a fallback, the one whose
  /// route shares the most leading literals with the URL runs; on a tie none of them does, and the app's
  /// fallback runs. Web URLs go to the app's web page; to answer those of one site, use `fallback(under:)`.
  public mutating func notFound<Output: Sendable>(
    file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (UnroutedURL, RouteContext) async throws -> Output
  ) {
    let place = RoutePlace(module: module, name: "A not-found handler", pattern: nil, file: file, line: line)
    moduleFallbacks.append(ModuleFallback(RouteFallback(body), at: place))
  }

  /// Declares a route whose body returns whether it produced a value or was shown.
  ///
  /// For kinds of routes other than actions; a module uses `action` and the like.
  ///
  /// - Parameter needs: What the environment must hold; a missing value is a fault of the table.
  public mutating func route<R: Route>(
    _ route: R.Type, guards: [any RouteGuard] = [], priority: Int = 0,
    needs: [any RouteEnvironmentKey.Type] = [], file: String, line: Int,
    _ body: @escaping @Sendable (R, RouteContext) async throws -> RouteOutcome<R.Output>
  ) {
    let pattern = R.pattern
    declarations.append(
      RouteDeclaration(
        type: ObjectIdentifier(route), pattern: pattern,
        aliases: R.aliases.map { RouteAlias.completed($0, by: pattern) }, exposure: R.exposure,
        output: Self.name(of: R.Output.self), purpose: R.purpose,
        place: place(Self.name(of: route), pattern.text, file, line), guards: guards.ordered,
        priority: priority, needs: needs,
        decode: { input throws(RouteError) in try R(from: input) },
        run: { route, context in try await Self.erase(route, context, body) }))
  }

  /// Declares a native route whose body returns whether it produced a value or was shown.
  public mutating func route<R: NativeRoute>(
    _ route: R.Type, guards: [any RouteGuard] = [], needs: [any RouteEnvironmentKey.Type] = [],
    file: String, line: Int,
    _ body: @escaping @Sendable (R, RouteContext) async throws -> RouteOutcome<R.Output>
  ) {
    let name = Self.name(of: route)
    declarations.append(
      RouteDeclaration(
        type: ObjectIdentifier(route), pattern: nil, exposure: nil,
        output: Self.name(of: R.Output.self), purpose: R.purpose, place: place(name, nil, file, line),
        guards: guards.ordered, priority: 0, needs: needs,
        decode: { input throws(RouteError) in throw .notFound(url: input.url.text) },
        run: { route, context in try await Self.erase(route, context, body) }))
  }

  /// The name of a type as `String(describing:)` gives it, without that function's check for custom
  /// descriptions.
  private static func name(of type: any Any.Type) -> String { _typeName(type, qualified: false) }

  func place(_ name: String, _ pattern: String?, _ file: String, _ line: Int) -> RoutePlace {
    RoutePlace(module: module, name: name, pattern: pattern, file: file, line: line)
  }

  static func erase<R: Sendable, Output: Sendable>(
    _ route: any Sendable, _ context: RouteContext,
    _ body: @Sendable (R, RouteContext) async throws -> RouteOutcome<Output>
  ) async throws -> (any Sendable)? {
    guard let route = route as? R else {
      throw RouteError.resultMismatch(
        expected: String(describing: R.self), got: String(describing: Swift.type(of: route)))
    }
    // Time spent in another module's route does not count towards the module that handles a life-cycle event.
    let outcome = try await OwnTime.exclude(context.mediator.clock) { try await body(route, context) }
    switch outcome {
    case .value(let output): return output
    case .shown: return nil
    }
  }
}
