/// A part of an app that other parts reach only through the mediator.
///
/// The app creates an instance with its dependencies and lists it; no module is looked up by class name.
public protocol BusinessModule: Sendable {
  /// The module's name, unique in the app. Errors, events and `moduleOnly` routes refer to the module by it.
  var name: String { get }
  /// What the module depends on; nothing by default.
  ///
  /// Unmet needs and cycles of needs are reported as faults of the table. The launch order follows from the
  /// needs.
  var needs: [ModuleNeed] { get }
  /// Declares the module's routes, providers and listeners.
  ///
  /// Called once, while the mediator is built, so keep it cheap.
  func declare(into table: inout RouteTable)
}

extension BusinessModule {
  /// No needs.
  public var needs: [ModuleNeed] { [] }
}

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
  public let name: String
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

/// An error of a module's provider, lazy route or life-cycle listener.
public enum ModuleError: Error, Sendable {
  /// No module declares a provider for the type.
  case noProvider(String)
  /// No module declares a provider or lazy route of this name.
  case noObject(String, known: [String])
  /// Creating the provider or route body failed; the next use tries again.
  case loadFailed(String, module: String, any Error)
  /// Each of these loads waits for the next, and the last one for the first.
  case loadCycle([String])
  /// The module's listener did not finish within the limit.
  case late(module: String, limit: Duration)
}

extension ModuleError: CustomStringConvertible {
  /// What is missing or failed, in which module, and what to do.
  public var description: String {
    switch self {
    case .noProvider(let name):
      "No module provides \(name): list the module that does, and add the provider to the needs of the module that "
        + "uses it, so that a missing one is found at startup."
    case .noObject(let name, let known):
      "No module declares a provider or lazy route \"\(name)\"; "
        + (known.isEmpty ? "there are none." : "the names are \(known.joined(separator: ", ")).")
    case .loadFailed(let name, let module, let error):
      "\(name) of module \(module) could not be created: \(error)"
    case .loadCycle(let names):
      "Cyclic load: \(names.joined(separator: " waits for ")); request one of them later, when it is used."
    case .late(let module, let limit):
      "Module \(module) did not finish within \(limit); do less work in its listener, or raise the limit."
    }
  }
}
