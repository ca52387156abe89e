/// The routes of a module, while it declares them.
///
/// Kinds of routes beyond actions (screens, for one) are extensions on this type that call `route`.
public struct RouteTable: Sendable {
  /// The name of the module that declares.
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

  /// Declares a service: code that answers the route.
  ///
  /// - Parameters:
  ///   - guards: Asked after those of the whole app and of the module.
  ///   - priority: Settles an overlap with another pattern where neither is the more specific; the higher
  ///     wins.
  public mutating func action<R: Route>(
    _ route: R.Type, guards: [any RouteGuard] = [], priority: Int = 0, file: String = #fileID,
    line: Int = #line,
    _ body: @escaping @Sendable (R, RouteContext) async throws -> R.Output
  ) {
    self.route(route, guards: guards, priority: priority, file: file, line: line) { route, context in
      .value(try await body(route, context))
    }
  }

  /// Declares a service that only code in the app can ask for, by value.
  public mutating func action<R: NativeRoute>(
    _ route: R.Type, guards: [any RouteGuard] = [], file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (R, RouteContext) async throws -> R.Output
  ) {
    self.route(route, guards: guards, file: file, line: line) { route, context in
      .value(try await body(route, context))
    }
  }

  /// Declares what answers the URLs under a prefix that no route answers.
  ///
  /// The prefix has literals only, such as `estate://home` or, for a web site with a screen of its own,
  /// `https://news.example`. The longest prefix that fits is asked first, the module's and the app's
  /// fallbacks after it.
  public mutating func fallback<Output: Sendable>(
    under prefix: RoutePattern, file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (UnroutedURL, RouteContext) async throws -> Output
  ) {
    let place = RoutePlace(module: module, name: "A fallback", pattern: prefix.text, file: file, line: line)
    fallbacks.append(PrefixFallback(prefix: prefix, fallback: RouteFallback(body), place: place))
  }

  /// Declares what answers the URLs that no route answers and that begin as one of this module's routes does.
  ///
  /// At least the scheme and the host are the same. If several modules declare one, that whose route shares
  /// the most leading literals is asked; if they share equally many, none, and the app's is next. Web
  /// addresses go to the app's web page; to answer those of a site choose `fallback(under:)`.
  public mutating func notFound<Output: Sendable>(
    file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (UnroutedURL, RouteContext) async throws -> Output
  ) {
    let place = RoutePlace(module: module, name: "A not-found handler", pattern: nil, file: file, line: line)
    moduleFallbacks.append(ModuleFallback(RouteFallback(body), at: place))
  }

  /// Declares a route whose body says itself whether it answered or was shown.
  ///
  /// For kinds of routes other than actions; a module declares with `action` and the like.
  ///
  /// - Parameter needs: What the environment must hold; a missing one is a fault of the table.
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

  /// Declares a native route whose body says itself whether it answered or was shown.
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

  /// The name of a type as `String(describing:)` gives it, which would first look whether types describe
  /// themselves.
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
    // A module that deals with a life-cycle event is not charged for what others do for it.
    let outcome = try await OwnTime.exclude(context.mediator.clock) { try await body(route, context) }
    switch outcome {
    case .value(let output): return output
    case .shown: return nil
    }
  }
}
