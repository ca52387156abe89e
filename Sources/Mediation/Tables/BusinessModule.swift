/// A part of an app that others reach only through the mediator.
///
/// The app makes an instance with what it depends on and lists it; nothing is found by a class's name.
public protocol BusinessModule: Sendable {
  /// The module's name, unique in the app; by it errors, events and `moduleOnly` routes know it.
  var name: String { get }
  /// What the module cannot do without; by default nothing.
  ///
  /// What nobody gives, and needs that close a circle, are faults of the table; the order of launching
  /// follows from it.
  var needs: [ModuleNeed] { get }
  /// Declares the module's routes, services, targets and listeners; called once, while the mediator is built,
  /// so keep it cheap.
  func declare(into table: inout RouteTable)
}

extension BusinessModule {
  /// No needs.
  public var needs: [ModuleNeed] { [] }
}
