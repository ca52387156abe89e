/// Values that the app makes available to all routes, by typed key.
public struct RouteEnvironment: Sendable {
  private var values: [ObjectIdentifier: any Sendable] = [:]

  /// Creates an empty environment.
  public init() {}

  /// The value of a key; the key's default if the app has not set it.
  package subscript<Key: RouteEnvironmentKey>(key: Key.Type) -> Key.Value {
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

  /// The values that follow the mediator.
  var followers: [any MediatorFollower] { values.values.compactMap { $0 as? any MediatorFollower } }
}

/// Tells whether a value of a generic type is nil.
private protocol OptionalValue {
  var isNil: Bool { get }
}

extension Optional: OptionalValue {
  fileprivate var isNil: Bool { self == nil }
}
