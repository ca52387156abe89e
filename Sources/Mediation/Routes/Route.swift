/// A place or a service that can be asked for by a URL, as a value.
///
/// A module's contract target holds its routes and nothing else; callers import that target, never the
/// module. Choose a `Route` when every parameter has a text; choose `NativeRoute` for images, closures and
/// other rich values. Law: reading what `write(to:)` wrote gives an equal route.
public protocol Route: Sendable {
  /// What the route answers to a caller in the app.
  associatedtype Output: Sendable = Void
  /// The URLs that lead here.
  static var pattern: RoutePattern { get }
  /// Further patterns that lead here, such as the `https` form of an app's own link; by default none.
  ///
  /// Each gives all placeholders that `pattern` always gives. Choose an alias where the same parameters stand
  /// in another place; choose a route of its own where they differ. A route is written as `pattern`.
  static var aliases: [RoutePattern] { get }
  /// Who may come here by a URL; by default `.app`, which no URL from outside reaches.
  static var exposure: Exposure { get }
  /// What the route is for, in a line for the manifest; by default empty.
  static var purpose: String { get }
  /// Reads the route from the URL that matched.
  init(from input: RouteInput) throws(RouteError)
  /// Writes the parameters that make the URL.
  func write(to output: inout RouteOutput)
}

extension Route {
  /// No further URLs.
  public static var aliases: [RoutePattern] { [] }
  /// Reachable by URL from inside the app only.
  public static var exposure: Exposure { .app }
  /// Says nothing.
  public static var purpose: String { "" }
}

/// A route whose pattern has no placeholders.
///
/// Choose it to save writing the two members that would be empty.
public protocol ParameterlessRoute: Route {
  /// Makes the one value.
  init()
}

extension ParameterlessRoute {
  /// Makes the one value; the URL has nothing to read.
  public init(from input: RouteInput) throws(RouteError) { self.init() }
  /// Writes nothing.
  public func write(to output: inout RouteOutput) {}
}
