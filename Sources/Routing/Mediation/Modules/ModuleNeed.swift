/// A requirement of a module, identified by a type.
///
/// The table finds the module that declares it. A provider or a route also determines the order: its module
/// is launched first.
public struct ModuleNeed: Sendable {
  enum Subject: Sendable {
    case provider(ObjectIdentifier)
    case route(ObjectIdentifier)
    case environment(any RouteEnvironmentKey.Type)
  }

  /// The need as a phrase, for faults and drawings.
  package let name: String
  let subject: Subject
  private(set) var isOrdered = true

  /// Returns a need for a provider that some module must declare.
  public static func provider<Provider>(_ type: Provider.Type) -> ModuleNeed {
    ModuleNeed(name: "provider \(type)", subject: .provider(ObjectIdentifier(type)))
  }

  /// Returns a need for a route that some module must declare.
  public static func route<R: Route>(_ route: R.Type) -> ModuleNeed {
    ModuleNeed(name: "route \(route)", subject: .route(ObjectIdentifier(route)))
  }

  /// Returns a need for a native route that some module must declare.
  public static func route<R: NativeRoute>(_ route: R.Type) -> ModuleNeed {
    ModuleNeed(name: "route \(route)", subject: .route(ObjectIdentifier(route)))
  }

  /// Returns a need for a value of the environment that must not be nil.
  public static func environment<Key: RouteEnvironmentKey>(_ key: Key.Type) -> ModuleNeed {
    ModuleNeed(name: "environment \(key)", subject: .environment(key))
  }

  /// The same need without an order: the other module must exist, but may be launched later.
  ///
  /// Use it for modules that open each other's screens.
  public var unordered: ModuleNeed {
    var copy = self
    copy.isOrdered = false
    return copy
  }
}
