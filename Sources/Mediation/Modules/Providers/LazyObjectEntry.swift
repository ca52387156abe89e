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
