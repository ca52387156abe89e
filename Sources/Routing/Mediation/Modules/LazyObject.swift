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

/// A declared lazy object with its type erased.
struct LazyObjectEntry: Sendable {
  /// The purpose of the object, with the type that identifies it.
  enum Role: Sendable, Hashable {
    case provider(ObjectIdentifier)
    case body(ofRoute: ObjectIdentifier)
  }

  let role: Role
  /// The name of the type that the role mentions.
  let typeName: String
  let place: RouteTable.Place
  let name: String
  let lifetime: ProviderLifetime
  /// A `LazyObject` of the object's type.
  let object: any Sendable
  let isLoaded: @Sendable () -> Bool
  let release: @Sendable () -> Bool

  init<Value: Sendable>(
    _ object: LazyObject<Value>, _ role: Role, _ typeName: String, _ place: RouteTable.Place
  ) {
    self.role = role
    self.typeName = typeName
    self.place = place
    name = object.name
    lifetime = object.lifetime
    self.object = object
    isLoaded = { object.isLoaded }
    release = { object.release() }
  }

  /// The type by which a provider is found; nil for the body of a route.
  var provided: ObjectIdentifier? {
    if case .provider(let type) = role { type } else { nil }
  }
}

/// How a lazy value is created, and which module owns it.
struct LazyDeclaration<Value: Sendable>: Sendable {
  /// The value's name, for errors and events.
  let name: String
  let module: String
  let loads: WaitGraph
  /// The number of the declaration, which all values created by it share.
  let number: Int
  let make: @Sendable (RouteContext) async throws -> Value

  init(
    _ name: String, module: String, loads: WaitGraph,
    _ make: @escaping @Sendable (RouteContext) async throws -> Value
  ) {
    self.name = name
    self.module = module
    self.loads = loads
    number = loads.nextNumber()
    self.make = make
  }
}
