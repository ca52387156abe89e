/// A screen or an action that can be called by a URL, as a value.
///
/// A module's contract target contains its routes and nothing else; callers import that target, never the
/// module. Use a `Route` if every parameter can be written as text, and a `NativeRoute` for images, closures
/// and other rich values. Reading what `write(to:)` has written must give an equal route.
public protocol Route: Sendable {
  /// The type of the route's result.
  associatedtype Output: Sendable = Void
  /// The pattern of the route's URLs.
  static var pattern: RoutePattern { get }
  /// Further patterns of the route, such as the `https` form of an app link; none by default.
  ///
  /// Each must supply every parameter that `pattern` always supplies. Use an alias for the same parameters in
  /// other positions, and a separate route for other parameters. The route's URL is always written with
  /// `pattern`.
  static var aliases: [RoutePattern] { get }
  /// The callers that may reach the route by a URL; `.app` by default, which excludes external URLs.
  static var exposure: Exposure { get }
  /// The route's purpose in one line, for the manifest; empty by default.
  static var purpose: String { get }
  /// Creates the route from a URL that matched.
  init(from input: RouteInput) throws(RouteError)
  /// Writes the parameters of the route's URL.
  func write(to output: inout RouteOutput)
}

extension Route {
  /// None.
  public static var aliases: [RoutePattern] { [] }
  /// Any code in the app.
  public static var exposure: Exposure { .app }
  /// Empty.
  public static var purpose: String { "" }
}

/// A route whose pattern has no placeholders.
///
/// It supplies the two members that would be empty.
public protocol ParameterlessRoute: Route {
  /// Creates the route.
  init()
}

extension ParameterlessRoute {
  /// Creates the route; there is nothing to read.
  public init(from input: RouteInput) throws(RouteError) { self.init() }
  /// Writes nothing.
  public func write(to output: inout RouteOutput) {}
}
