/// A screen or an action that can be called by a URL, as a value.
///
/// A module's contract target contains its routes and nothing else; callers import that target, never the
/// module. Use a `Route` if every parameter can be written as text, and a `NativeRoute` for images, closures
/// and other rich values. Reading what `write(to:)` has written must give an equal route.
///
/// A `Codable` route needs no code of its own for its parameters: each property is read from and written to
/// the placeholder of the same name. Properties are texts, numbers, Booleans, enumerations with raw values,
/// types that conform to ``RouteValue`` or wrap such a value, and arrays of these for a tail or a repeated
/// query field. An optional property stands for an optional placeholder. Building the mediator reports
/// every property and placeholder that do not agree; <doc:DeclaringModules> has the rules.
///
///     struct ListingsRoute: Route, Codable {
///       static let pattern: RoutePattern = "estate://listings/{kind:house|condo}?page={page:int?}"
///       let kind: HomeKind
///       var page: Int?
///     }
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
  /// The routes of the screens below this one, the lowest first; none by default.
  ///
  /// A link from outside that opens the route's screen shows them and their own parents first, so that the
  /// user can go back. Each is opened by its URL as code of this route's module, so its exposure and its
  /// guards apply; one that a guard refuses is left out. Calls from within the app and links of a web page
  /// that the app shows open this screen alone.
  var parents: [any Route] { get }
  /// Creates the route from a URL that matched.
  init(from input: RouteInput) throws(RouteError)
  /// Writes the parameters of the route's URL.
  func write(to output: inout RouteOutput)
  /// Reads a `Decodable` route from sample values while the table is built; nil for other routes.
  ///
  /// The table thereby learns the route's properties and compares them with the placeholders. Do not
  /// implement it. A requirement, because finding the conformance at run time searches all of the program's
  /// types.
  static var _probe: (@Sendable (RouteInput) throws(RouteError) -> Void)? { get }
}

extension Route {
  /// None.
  public static var aliases: [RoutePattern] { [] }
  /// Any code in the app.
  public static var exposure: Exposure { .app }
  /// Empty.
  public static var purpose: String { "" }
  /// None.
  public var parents: [any Route] { [] }
  /// Nil.
  public static var _probe: (@Sendable (RouteInput) throws(RouteError) -> Void)? { nil }
}
