/// A key for a value that the app makes available to all routes, such as the navigator.
///
/// Use the environment for what a kind of route needs (a navigator, a web view's bridge). Pass a module's own
/// dependencies to its initializer.
public protocol RouteEnvironmentKey: Sendable {
  /// The type of the value.
  associatedtype Value: Sendable
  /// What to do if the value is missing, as a clause that becomes part of the table's fault.
  static var remedy: String { get }
}

/// Values that the app makes available to all routes, by typed key.
public struct RouteEnvironment: Sendable {
  private var values: [ObjectIdentifier: any Sendable] = [:]

  /// Creates an empty environment.
  public init() {}

  /// The value of a key, or nil if it is not set.
  public subscript<Key: RouteEnvironmentKey>(key: Key.Type) -> Key.Value? {
    get { values[ObjectIdentifier(key)] as? Key.Value }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  /// Returns a copy in which the key has the value.
  public func setting<Key: RouteEnvironmentKey>(_ key: Key.Type, to value: Key.Value) -> RouteEnvironment {
    var copy = self
    copy[key] = value
    return copy
  }

  /// Returns whether the key has a value or, as a host question, a default answer.
  func holds(_ key: any RouteEnvironmentKey.Type) -> Bool {
    values[ObjectIdentifier(key)] != nil || key is any HostQuestion.Type
  }
}
