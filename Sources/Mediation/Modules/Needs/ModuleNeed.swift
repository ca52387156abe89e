/// Something that a module cannot do without, by its type.
///
/// The table finds who gives it. A service or a route also says the order: the module that gives it is
/// launched before.
public struct ModuleNeed: Sendable {
  enum Subject: Sendable {
    case service(ObjectIdentifier)
    case route(ObjectIdentifier)
    case environment(any RouteEnvironmentKey.Type)
  }

  /// The need in words, for faults and drawings.
  public let name: String
  let subject: Subject
  private(set) var isOrdered = true

  /// A service that some module must provide.
  public static func service<Service>(_ service: Service.Type) -> ModuleNeed {
    ModuleNeed(name: "service \(service)", subject: .service(ObjectIdentifier(service)))
  }

  /// A route that some module must declare.
  public static func route<R: Route>(_ route: R.Type) -> ModuleNeed {
    ModuleNeed(name: "route \(route)", subject: .route(ObjectIdentifier(route)))
  }

  /// A native route that some module must declare.
  public static func route<R: NativeRoute>(_ route: R.Type) -> ModuleNeed {
    ModuleNeed(name: "route \(route)", subject: .route(ObjectIdentifier(route)))
  }

  /// Something that the app must put into the environment.
  public static func environment<Key: RouteEnvironmentKey>(_ key: Key.Type) -> ModuleNeed {
    ModuleNeed(name: "environment \(key)", subject: .environment(key))
  }

  /// The same need without an order: it must be there, but may be launched later.
  ///
  /// Choose it for modules that open each other's screens.
  public var unordered: ModuleNeed {
    var copy = self
    copy.isOrdered = false
    return copy
  }
}
