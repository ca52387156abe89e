/// An action or screen that only code in the app can call, with values that no URL can carry.
///
/// It has no pattern, so no URL can reach it. Use it to pass images, closures or live objects between
/// modules; use `Route` if links, push messages or web pages should reach it as well.
public protocol NativeRoute: Sendable {
  /// The type of the route's result.
  associatedtype Output: Sendable = Void
  /// The route's purpose in one line, for the manifest; empty by default.
  static var purpose: String { get }
}

extension NativeRoute {
  /// Empty.
  public static var purpose: String { "" }
}
