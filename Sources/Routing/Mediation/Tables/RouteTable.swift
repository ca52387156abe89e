/// The declarations of one module.
public struct RouteTable: Sendable {
  /// The name of the module.
  package let module: String
  var declarations: [RouteDeclaration] = []
  var aliases: [RouteAlias] = []
  private(set) var fallbacks: [PrefixFallback] = []
  var moduleGuards: [any RouteGuard] = []
  private(set) var moduleFallbacks: [ModuleFallback] = []
  private(set) var contributions: [ModuleContribution] = []

  var objects: [LazyObjectEntry] = []
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
    declare(route, guards, priority, needs: [], file, line) { value, context in
      try await body(try Self.typed(value), context)
    }
  }

  /// Declares an action that only code in the app can call, by value.
  public mutating func action<R: NativeRoute>(
    _ route: R.Type, guards: [any RouteGuard] = [], file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (R, RouteContext) async throws -> R.Output
  ) {
    declare(route, guards, needs: [], file, line) { value, context in
      try await body(try Self.typed(value), context)
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
    let place = Place(module: module, name: "A fallback", pattern: prefix.text, file: file, line: line)
    fallbacks.append(PrefixFallback(prefix: prefix, fallback: RouteFallback(body), place: place))
  }

  /// Declares a fallback for unmatched URLs that begin like one of this module's routes.
  ///
  /// The scheme and the host are equal, at least. If several modules declare such a fallback, the fallback of
  /// the module whose route shares the most leading literals with the URL runs. On a tie, the app's fallback
  /// runs. Web URLs go to the app's web page; to answer the URLs of one site, use `fallback(under:)`.
  public mutating func notFound<Output: Sendable>(
    file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (UnroutedURL, RouteContext) async throws -> Output
  ) {
    let place = Place(module: module, name: "A not-found handler", pattern: nil, file: file, line: line)
    moduleFallbacks.append(ModuleFallback(RouteFallback(body), at: place))
  }

  /// Declares a route whose body returns whether it produced a value or was shown.
  ///
  /// For kinds of routes other than actions; a module uses `action` and the like.
  ///
  /// - Parameter needs: What the environment must hold; a missing value is a fault of the table.
  package mutating func route<R: Route>(
    _ route: R.Type, guards: [any RouteGuard] = [], priority: Int = 0,
    needs: [any RouteEnvironmentKey.Type] = [], file: String, line: Int,
    _ body: @escaping @Sendable (R, RouteContext) async throws -> RouteOutcome<R.Output>
  ) {
    declare(route, guards, priority, needs: needs, file, line) { value, context in
      try await body(try Self.typed(value), context).answer
    }
  }

  /// Declares a native route whose body returns whether it produced a value or was shown.
  package mutating func route<R: NativeRoute>(
    _ route: R.Type, guards: [any RouteGuard] = [], needs: [any RouteEnvironmentKey.Type] = [],
    file: String, line: Int,
    _ body: @escaping @Sendable (R, RouteContext) async throws -> RouteOutcome<R.Output>
  ) {
    declare(route, guards, needs: needs, file, line) { value, context in
      try await body(try Self.typed(value), context).answer
    }
  }
}

extension RouteTable {
  /// Declares a value for another part of the app, which the environment holds, such as the navigator.
  ///
  /// - Parameters:
  ///   - name: A phrase for faults.
  ///   - needs: What the environment must hold; a missing value is a fault of the table.
  package mutating func contribute(
    _ value: any Sendable, named name: String, needs: [any RouteEnvironmentKey.Type], file: String, line: Int
  ) {
    contributions.append(
      ModuleContribution(place: place(name, nil, file, line), value: value, needs: needs))
  }
}

extension RouteTable {
  /// Adds guards to every route of the module, including routes declared earlier.
  ///
  /// They run after the app's guards and before a route's own. Use them for a condition that all of a
  /// module's routes share. They do not apply to fallbacks.
  public mutating func guarded(by guards: any RouteGuard...) {
    moduleGuards += guards
  }
}

// Without these overloads the compiler reports a wrong result type as a missing conformance to NativeRoute,
// because that is the overload that it tries last.

extension RouteTable {
  /// Unavailable: the body returns another type than the route's `Output`.
  @available(
    *, unavailable,
    message: "the body does not return the route's Output; return that type, or change the route's Output"
  )
  public mutating func action<R: Route, Answer>(
    _ route: R.Type, guards: [any RouteGuard] = [], priority: Int = 0, file: String = #fileID,
    line: Int = #line,
    _ body: @escaping @Sendable (R, RouteContext) async throws -> Answer
  ) {}

  /// Unavailable: the body returns another type than the route's `Output`.
  @available(
    *, unavailable,
    message: "the body does not return the route's Output; return that type, or change the route's Output"
  )
  public mutating func action<R: NativeRoute, Answer>(
    _ route: R.Type, guards: [any RouteGuard] = [], file: String = #fileID, line: Int = #line,
    _ body: @escaping @Sendable (R, RouteContext) async throws -> Answer
  ) {}
}

extension RouteTable {
  /// The source location of a declaration.
  package struct Place: Sendable, Hashable, CustomStringConvertible {
    /// The name of the module.
    package let module: String
    /// The name of the route's type, or a phrase for another kind of declaration.
    package let name: String
    /// The pattern, if there is one.
    package let pattern: String?
    /// The file, as `#fileID` gives it.
    package let file: String
    /// The line in the file.
    package let line: Int

    /// The declaration in one phrase, with file and line.
    package var description: String {
      "\(name)\(pattern.map { " \"\($0)\"" } ?? "") in module \(module) (\(file):\(line))"
    }
  }
}
