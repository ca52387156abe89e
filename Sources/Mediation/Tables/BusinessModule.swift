/// A part of an app that others reach only through the mediator.
///
/// The app makes an instance with what it depends on and lists it; nothing is found by a class's name.
public protocol BusinessModule: Sendable {
  /// The module's name, unique in the app; by it errors, events and `moduleOnly` routes know it.
  var name: String { get }
  /// Declares the module's routes; called once, while the mediator is built.
  func declare(into table: inout RouteTable)
}
