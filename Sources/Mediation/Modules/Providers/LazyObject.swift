/// An object of a module that is created on first use: a provider, or the body of a lazy route.
struct LazyObject<Value: Sendable>: Sendable {
  let lifetime: ProviderLifetime
  private let declaration: LazyDeclaration<Value>
  private let shared: LazyValue<Value>

  init(_ declaration: LazyDeclaration<Value>, _ lifetime: ProviderLifetime) {
    self.declaration = declaration
    self.lifetime = lifetime
    shared = LazyValue(declaration)
  }

  /// The module's name and the object's, joined by a dot, by which the app releases the object.
  var name: String { declaration.name }

  var isLoaded: Bool { shared.isLoaded }

  /// Returns the object, creating it if necessary.
  ///
  /// - Parameter ownTime: The measurement that the time spent here does not count towards.
  /// - Throws: `ModuleError`, or `CancellationError` if the caller is cancelled.
  func get(_ mediator: Mediator, _ ownTime: OwnTime?) async throws -> Value {
    // Each use of a transient object has a load of its own, which still takes part in the search for cycles.
    let value = lifetime == .transient ? LazyValue(declaration) : shared
    return try await value.get(mediator, ownTime)
  }

  func release() -> Bool { shared.release() }
}
