extension Mediator {
  /// Returns the provider that a module declares for a type, creating it if necessary.
  ///
  /// - Throws: ``ModuleError`` if no module declares the provider, its creation fails, or its creation
  ///   depends on itself; `CancellationError` if the caller is cancelled.
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
      throw ModuleError(.noProvider(String(describing: type)))
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

extension Mediator {
  /// The names of the providers and the bodies of lazy routes that exist, sorted.
  public var loadedObjects: [String] {
    registry.modules.objects.filter { $0.isLoaded() }.map(\.name).sorted()
  }

  /// Releases a provider or the body of a lazy route, so that its next use creates it again.
  ///
  /// Code that already holds the object continues with it. May be called from any thread. An object that is
  /// being created is passed to its waiters and not kept.
  ///
  /// - Parameter name: The names of the module and of the provider's or route's type, joined by a dot.
  /// - Returns: Whether there was an object to release.
  /// - Throws: ``ModuleError`` with the known names.
  @discardableResult
  public func releaseObject(_ name: String) throws(ModuleError) -> Bool {
    guard let object = registry.modules.objects.first(where: { $0.name == name }) else {
      throw ModuleError(.noObject(name, known: registry.modules.objects.map(\.name).sorted()))
    }
    return release(object)
  }

  /// Releases all providers and the bodies of all lazy routes.
  ///
  /// - Returns: The names of the released objects, sorted.
  @discardableResult
  public func releaseAllObjects() -> [String] {
    registry.modules.objects.filter(release).map(\.name).sorted()
  }

  func release(_ object: LazyObjectEntry) -> Bool {
    let isReleased = object.release()
    if isReleased { observe(.released(object.name)) }
    return isReleased
  }
}
