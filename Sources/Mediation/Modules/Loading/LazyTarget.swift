/// An object of a module that answers routes and is created on first use: a store, a detector, a screen's
/// model.
///
/// Use a target for what is too expensive to create at startup or worth releasing; pass a cheap object to the
/// module's initializer. The module's routes are known, and checked against those of other modules, before
/// any target is created. Concurrent calls share one creation. If it fails, they throw
/// `ModuleError.loadFailed` and the next call tries again.
///
/// A target that stores the context it was created with retains the mediator until the target is released.
public struct LazyTarget<Value: Sendable>: Sendable {
  /// The module's name and the target's, joined by a dot, by which the app releases the target.
  public let name: String
  /// How long the target is kept.
  public let lifetime: TargetLifetime
  let recipe: LazyRecipe<Value>
  let shared: LazyValue<Value>

  init(_ recipe: LazyRecipe<Value>, _ lifetime: TargetLifetime) {
    name = recipe.name
    self.lifetime = lifetime
    self.recipe = recipe
    shared = LazyValue(recipe)
  }

  /// Returns the target, creating it if necessary; route bodies pass their context.
  ///
  /// - Throws: `ModuleError.loadFailed` if creating it fails, `ModuleError.loadCircle` if its creation
  ///   depends on itself, `CancellationError` if the caller is cancelled.
  public func callAsFunction(_ context: RouteContext) async throws -> Value {
    let value = lifetime == .call ? LazyValue(recipe) : shared
    return try await value.get(context.mediator)
  }
}

/// A target with its type erased.
struct TargetEntry: Sendable {
  let place: RoutePlace
  let lifetime: TargetLifetime
  let name: String
  let isLoaded: @Sendable () -> Bool
  let release: @Sendable () -> Bool

  init<Value: Sendable>(_ target: LazyTarget<Value>, _ place: RoutePlace) {
    self.place = place
    lifetime = target.lifetime
    name = target.name
    isLoaded = { target.shared.isLoaded }
    release = { target.shared.release() }
  }
}
