/// A key for something that the app lends to all routes, such as the navigator.
///
/// Choose the environment for what the kinds of routes need (a navigator, a web view's bridge). A module's
/// own dependencies are properties of the module, given to its initialiser.
public protocol RouteEnvironmentKey: Sendable {
  /// What stands under the key.
  associatedtype Value: Sendable
  /// What to do if it is missing, as a clause; part of the table's fault.
  static var remedy: String { get }
}

/// What the app lends to all routes, by typed key.
public struct RouteEnvironment: Sendable {
  private var values: [ObjectIdentifier: any Sendable] = [:]

  /// Holds nothing.
  public init() {}

  /// What stands under a key, or nil.
  public subscript<Key: RouteEnvironmentKey>(key: Key.Type) -> Key.Value? {
    get { values[ObjectIdentifier(key)] as? Key.Value }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  /// A copy with a value under a key.
  public func setting<Key: RouteEnvironmentKey>(_ key: Key.Type, to value: Key.Value) -> RouteEnvironment {
    var copy = self
    copy[key] = value
    return copy
  }

  /// Whether there is a value, or a safe answer in its place.
  func holds(_ key: any RouteEnvironmentKey.Type) -> Bool {
    values[ObjectIdentifier(key)] != nil || key is any HostQuestion.Type
  }
}
