extension RouteTable {
  /// Provides a service to other modules, which look it up by its protocol.
  ///
  /// Put the protocol into the module's contract target, so that users of the service import the contract and
  /// never the module:
  ///
  ///     table.provide((any Weather).self) { context in
  ///       WeatherStation(log: try await context.service((any Log).self))
  ///     }
  ///
  /// Use a service for an object with several members, or one that is called often. Use a route for what a
  /// link or a web page may call as well, or what shows a screen.
  ///
  /// - Parameters:
  ///   - service: The protocol, as `(any Weather).self`. It is a fault of the table if two modules provide
  ///     it.
  ///   - make: Creates the service, once for all concurrent callers. After a failure the next use tries
  ///     again.
  public mutating func provide<Service: Sendable>(
    _ service: Service.Type, scope: ServiceScope = .app, file: String = #fileID, line: Int = #line,
    _ make: @escaping @Sendable (RouteContext) async throws -> Service
  ) {
    let name = String(describing: service)
    let recipe = LazyRecipe(name, module: module, loads: loads, make)
    let source: ServiceSource<Service>
    switch scope {
    case .app:
      let shared = LazyValue(recipe)
      source = ServiceSource { try await shared.get($0) }
    case .fresh:
      // Each user has a separate load, which still takes part in the search for cycles.
      source = ServiceSource { try await LazyValue(recipe).get($0) }
    }
    let place = RoutePlace(module: module, name: "Service \(name)", pattern: nil, file: file, line: line)
    services.append(ServiceEntry(type: ObjectIdentifier(service), name: name, place: place, source: source))
  }
}
