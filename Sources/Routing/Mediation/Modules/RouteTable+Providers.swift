extension RouteTable {
  /// Declares a provider: an object that is found by a type, normally a protocol, and created on first use.
  ///
  /// Put the protocol into the module's contract target, so that users of the provider import the contract
  /// and never the module:
  ///
  ///     table.provide((any Weather).self) { context in
  ///       WeatherStation(log: try await context.provider((any Log).self))
  ///     }
  ///
  /// Use a provider for an object with several members, or one that is called often; use a route for what a
  /// link or a web page may call as well, or what shows a screen. A type that only the module knows makes a
  /// provider for the module's own routes, such as a store that is too expensive to create at startup. Pass a
  /// cheap object to the module's initializer instead.
  ///
  /// The app releases a provider by the names of its module and its type, joined by a dot. A provider that
  /// stores the context it was created with retains the mediator until it is released.
  ///
  /// - Parameters:
  ///   - provider: The type, such as `(any Weather).self`. It is a fault of the table if two modules provide
  ///     it.
  ///   - lifetime: How long the provider is kept.
  ///   - make: Creates the provider, once for all concurrent users. After a failure the next use tries
  ///     again.
  public mutating func provide<Provider: Sendable>(
    _ provider: Provider.Type, lifetime: ProviderLifetime = .untilReleased, file: String = #fileID,
    line: Int = #line,
    _ make: @escaping @Sendable (RouteContext) async throws -> Provider
  ) {
    let name = String(describing: provider)
    addObject(.provider(ObjectIdentifier(provider)), name, "Provider \(name)", lifetime, file, line, make)
  }

  /// Appends a lazy object, and returns it for use by a route's body.
  @discardableResult
  mutating func addObject<Value: Sendable>(
    _ role: LazyObjectEntry.Role, _ typeName: String, _ phrase: String, _ lifetime: ProviderLifetime,
    _ file: String, _ line: Int, _ make: @escaping @Sendable (RouteContext) async throws -> Value
  ) -> LazyObject<Value> {
    let object = LazyObject(
      LazyDeclaration("\(module).\(typeName)", module: module, loads: loads, make), lifetime)
    let place = Place(module: module, name: phrase, pattern: nil, file: file, line: line)
    objects.append(LazyObjectEntry(object, role, typeName, place))
    return object
  }
}

extension RouteTable {
  /// Declares an action whose body is created on first use.
  ///
  /// The route is known, and checked against those of other modules, before its body is created. The body is
  /// kept until the app releases it by the names of the module and of the route's type, joined by a dot. If
  /// several routes share an expensive object, declare it with `provide` instead.
  ///
  /// - Parameter load: Returns the route's body; called once for all concurrent callers. After a failure the
  ///   next call tries again.
  public mutating func lazy<R: Route>(
    _ route: R.Type, guards: [any RouteGuard] = [], priority: Int = 0, file: String = #fileID,
    line: Int = #line,
    _ load:
      @escaping @Sendable (RouteContext) async throws ->
      @Sendable (R, RouteContext) async throws -> R.Output
  ) {
    let body = addBody(of: route, file, line, load)
    action(route, guards: guards, priority: priority, file: file, line: line) { route, context in
      try await body.get(context.mediator, context.ownTime)(route, context)
    }
  }

  /// Declares an action that only code in the app can call and whose body is created on first use.
  public mutating func lazy<R: NativeRoute>(
    _ route: R.Type, guards: [any RouteGuard] = [], file: String = #fileID, line: Int = #line,
    _ load:
      @escaping @Sendable (RouteContext) async throws ->
      @Sendable (R, RouteContext) async throws -> R.Output
  ) {
    let body = addBody(of: route, file, line, load)
    action(route, guards: guards, file: file, line: line) { route, context in
      try await body.get(context.mediator, context.ownTime)(route, context)
    }
  }

  private mutating func addBody<R, Body: Sendable>(
    of route: R.Type, _ file: String, _ line: Int,
    _ load: @escaping @Sendable (RouteContext) async throws -> Body
  ) -> LazyObject<Body> {
    let name = String(describing: route)
    return addObject(
      .body(ofRoute: ObjectIdentifier(route)), name, "The body of \(name)", .untilReleased, file, line, load)
  }
}
