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
