/// A key for a value that the app makes available to all routes, such as the navigator or a log switch.
///
/// Use the environment for what a kind of route or many modules need from the app. Pass a module's own
/// dependencies to its initializer.
///
/// What a module can do without has a safe default, the value that can do the least harm:
///
///     enum CacheLimit: RouteEnvironmentKey {
///       static let defaultValue = 1_000_000
///     }
///
/// What it requires has an optional value, and the module adds the key to its `needs`: the table reports a
/// key that the app has not set as a fault.
///
///     enum Keychain: RouteEnvironmentKey {
///       typealias Value = (any SecretStore)?
///       static let remedy = "set a secret store in the environment"
///     }
public protocol RouteEnvironmentKey: Sendable {
  /// The type of the value.
  associatedtype Value: Sendable
  /// The value if the app sets none; nil by default for an optional value.
  static var defaultValue: Value { get }
  /// What to do if a module needs the value and it is nil, as a clause that becomes part of the table's
  /// fault.
  static var remedy: String { get }
}

extension RouteEnvironmentKey {
  /// Tells to set the key in the mediator's environment.
  public static var remedy: String { "set \(self) in the mediator's environment" }
}

extension RouteEnvironmentKey where Value: ExpressibleByNilLiteral {
  /// Nil.
  public static var defaultValue: Value { nil }
}
