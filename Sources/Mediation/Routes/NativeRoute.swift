/// A service that only code in the app can ask for, with values that no URL carries.
///
/// It has no pattern, so no URL, from wherever, can reach it. Choose it to pass images, closures or live
/// objects between modules; choose `Route` when a link, a push message or a web page should be able to ask as
/// well.
public protocol NativeRoute: Sendable {
  /// What the route answers.
  associatedtype Output: Sendable = Void
  /// What the route is for, in a line for the manifest; by default empty.
  static var purpose: String { get }
}

extension NativeRoute {
  /// Says nothing.
  public static var purpose: String { "" }
}
