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
