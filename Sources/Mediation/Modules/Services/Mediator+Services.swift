extension Mediator {
  /// The service that a module provides for a protocol, made if need be.
  ///
  /// - Throws: `ModuleError.noService` if no module provides it, `ModuleError.loadFailed` if it cannot be
  ///   made, `ModuleError.loadCircle` if making it waits for itself, `CancellationError` if the caller is
  ///   cancelled.
  public func service<Service: Sendable>(_ service: Service.Type) async throws -> Service {
    guard let source = registry.modules.services[ObjectIdentifier(service)]?.source as? ServiceSource<Service>
    else { throw ModuleError.noService(String(describing: service)) }
    return try await source.get(self)
  }

  /// Whether a module provides a service for the protocol; makes nothing.
  public func provides<Service>(_ service: Service.Type) -> Bool {
    registry.modules.services[ObjectIdentifier(service)] != nil
  }
}

extension RouteContext {
  /// The service that another module provides for a protocol, made if need be.
  ///
  /// State it in the module's `needs`, and its absence is found at startup.
  ///
  /// - Throws: `ModuleError`, or `CancellationError` if the caller is cancelled.
  public func service<Service: Sendable>(_ service: Service.Type) async throws -> Service {
    try await mediator.service(service)
  }
}
