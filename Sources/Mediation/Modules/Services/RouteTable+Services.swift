extension RouteTable {
  /// Lends a service to other modules, which find it by its protocol.
  ///
  /// The protocol lives in the module's contract target, so that who asks imports that and never the module:
  ///
  ///     table.provide((any Weather).self) { context in
  ///       WeatherStation(log: try await context.service((any Log).self))
  ///     }
  ///
  /// Choose a service for an object with several members, or one that is asked often; choose a route for what
  /// a link or a page may ask as well, or what shows a screen.
  ///
  /// - Parameters:
  ///   - service: The protocol, as `(any Weather).self`. Two modules that provide one are a fault of the
  ///     table.
  ///   - make: Makes the service, once for all who ask at the same time; a failed one is made anew for the
  ///     next who asks.
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
      // Each asker has a load of its own, which still counts when circles are looked for.
      source = ServiceSource { try await LazyValue(recipe).get($0) }
    }
    let place = RoutePlace(module: module, name: "Service \(name)", pattern: nil, file: file, line: line)
    services.append(ServiceEntry(type: ObjectIdentifier(service), name: name, place: place, source: source))
  }
}
