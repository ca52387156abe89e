extension Mediator {
  /// Returns the service that a module provides for a protocol, creating it if necessary.
  ///
  /// - Throws: `ModuleError.noService` if no module provides it, `ModuleError.loadFailed` if creating it
  ///   fails, `ModuleError.loadCircle` if its creation depends on itself, `CancellationError` if the caller
  ///   is cancelled.
  public func service<Service: Sendable>(_ service: Service.Type) async throws -> Service {
    guard let source = registry.modules.services[ObjectIdentifier(service)]?.source as? ServiceSource<Service>
    else { throw ModuleError.noService(String(describing: service)) }
    return try await source.get(self)
  }

  /// Returns whether a module provides a service for the protocol, without creating it.
  public func provides<Service>(_ service: Service.Type) -> Bool {
    registry.modules.services[ObjectIdentifier(service)] != nil
  }
}

extension RouteContext {
  /// Returns the service that another module provides for a protocol, creating it if necessary.
  ///
  /// Add it to the module's `needs`, so that a missing service is found at startup.
  ///
  /// - Throws: `ModuleError`, or `CancellationError` if the caller is cancelled.
  public func service<Service: Sendable>(_ service: Service.Type) async throws -> Service {
    try await mediator.service(service)
  }
}
