/// Something of a module that answers routes and is made at its first use: a store, a detector, a screen's
/// model.
///
/// Choose a target for what is too heavy to make at startup or is worth letting go of; give what is light to
/// the module's initialiser. The module's routes are known, and checked against those of others, before any
/// target is made. Calls at the same time share one making; a failed one is `ModuleError.loadFailed`, and the
/// next call tries again.
///
/// A target that keeps the context it was made with keeps the mediator alive until it is released.
public struct LazyTarget<Value: Sendable>: Sendable {
  /// The name by which the app releases it: the module's and its own, joined by a dot.
  public let name: String
  /// How long it is kept.
  public let lifetime: TargetLifetime
  let recipe: LazyRecipe<Value>
  let shared: LazyValue<Value>

  init(_ recipe: LazyRecipe<Value>, _ lifetime: TargetLifetime) {
    name = recipe.name
    self.lifetime = lifetime
    self.recipe = recipe
    shared = LazyValue(recipe)
  }

  /// The target, made if need be; for the body of a route, which hands on its context.
  ///
  /// - Throws: `ModuleError.loadFailed` if it cannot be made, `ModuleError.loadCircle` if making it waits for
  ///   itself, `CancellationError` if the caller is cancelled.
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
