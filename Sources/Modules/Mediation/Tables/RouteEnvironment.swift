/// Values that the app makes available to all routes, by typed key.
public struct RouteEnvironment: Sendable {
  private var values: [ObjectIdentifier: any Sendable] = [:]

  /// Creates an empty environment.
  public init() {}

  /// The value of a key; the key's default if the app has not set it.
  public subscript<Key: RouteEnvironmentKey>(key: Key.Type) -> Key.Value {
    get {
      // Unwrapped first, because a cast of nil to an optional type succeeds.
      guard let value = values[ObjectIdentifier(key)] else { return Key.defaultValue }
      return value as? Key.Value ?? Key.defaultValue
    }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  /// Returns a copy in which the key has the value.
  public func setting<Key: RouteEnvironmentKey>(_ key: Key.Type, to value: Key.Value) -> RouteEnvironment {
    var copy = self
    copy[key] = value
    return copy
  }

  /// Returns whether the key has a value other than nil, set or by default.
  func holds<Key: RouteEnvironmentKey>(_ key: Key.Type) -> Bool {
    let value: any Sendable = self[key]
    guard let optional = value as? any OptionalValue else { return true }
    return !optional.isNil
  }
}

/// Tells whether a value of a generic type is nil.
private protocol OptionalValue {
  var isNil: Bool { get }
}

extension Optional: OptionalValue {
  fileprivate var isNil: Bool { self == nil }
}

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
