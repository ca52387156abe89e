extension Mediator {
  /// Returns the provider that a module declares for a type, creating it if necessary.
  ///
  /// - Throws: `ModuleError.noProvider` if no module provides it, `ModuleError.loadFailed` if creating it
  ///   fails, `ModuleError.loadCycle` if its creation depends on itself, `CancellationError` if the caller
  ///   is cancelled.
  public func provider<Provider: Sendable>(_ type: Provider.Type) async throws -> Provider {
    try await provider(type, ownTime: nil)
  }

  /// Returns whether a module declares a provider for a type, without creating it.
  public func provides<Provider>(_ type: Provider.Type) -> Bool {
    registry.modules.providers[ObjectIdentifier(type)] != nil
  }

  func provider<Provider: Sendable>(_ type: Provider.Type, ownTime: OwnTime?) async throws -> Provider {
    let object = registry.modules.providers[ObjectIdentifier(type)]?.object
    guard let object = object as? LazyObject<Provider> else {
      throw ModuleError.noProvider(String(describing: type))
    }
    return try await object.get(self, ownTime)
  }
}

extension RouteContext {
  /// Returns the provider that a module declares for a type, creating it if necessary.
  ///
  /// Add a provider of another module to the module's `needs`, so that a missing one is found at startup.
  ///
  /// - Throws: `ModuleError`, or `CancellationError` if the caller is cancelled.
  public func provider<Provider: Sendable>(_ type: Provider.Type) async throws -> Provider {
    try await mediator.provider(type, ownTime: ownTime)
  }
}
