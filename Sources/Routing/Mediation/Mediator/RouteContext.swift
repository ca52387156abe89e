/// The circumstances of a call for the route's code, and access to other routes.
///
/// A screen may store it to open other routes later; calls made through it count as calls of the module.
public struct RouteContext: Sendable {
  /// The mediator of the call.
  public let mediator: Mediator
  /// The module whose code runs; nil for guards and the app's fallbacks.
  public let module: String?
  /// The origin of the call.
  public let origin: Origin
  /// The URL or the name of the running route.
  let place: CallPlace
  let caller: CallPlace?
  /// Whether the caller waits for a result; if not, a screen may be shown without waiting for it.
  package let wantsResult: Bool
  var progress: ProgressForwarder?
  /// The only routes that the caller may reach, if it is restricted to a list.
  var allowed: Set<ObjectIdentifier>?
  /// What the caller attached to the call for this kind of route, such as the style of a screen.
  ///
  /// Nil if the call was redirected, because the attachment is meant for the route that the caller addressed.
  /// Calls that are made through the context do not inherit it.
  package var attachment: (any Sendable)?
  /// What receives the screens of the call in place of the user, wherever the call was redirected to.
  ///
  /// Calls that are made through the context do not inherit it.
  package var preparation: (any AnyObject & Sendable)?
  /// The measurement that the time of the calls made through the context does not count towards.
  var ownTime: OwnTime?

  /// The URL, including the query, or the route name of the caller.
  ///
  /// The caller is the code whose context was used, or the web page.
  public var opener: String? { caller?.label }
  /// The caller's route without its parameters: the name of its type, or its pattern if no type declares it.
  ///
  /// Nil if the caller is no route, such as the app's own code or a web page.
  package var openerRoute: String? {
    switch caller {
    case .value(let route): route.name
    case .url(let url): mediator.lookUp(url.text)?.registered.label
    case .name(let name):
      mediator.registry.routes.contains { $0.pattern == nil && $0.name == name }
        ? name : mediator.lookUp(name)?.registered.label
    case nil: nil
    }
  }
  /// The URL of the call, or the URL that the typed route writes; nil if it has none.
  public var url: RouteURL? { place.url }

  /// The value of an environment key.
  ///
  /// The key's default value if the app has not set it.
  public subscript<Key: RouteEnvironmentKey>(key: Key.Type) -> Key.Value { mediator.environment[key] }

  /// Reports progress to the caller, if it wants reports.
  ///
  /// May be called from any task, any number of times. Reports made after the route's code has ended are
  /// discarded. A bridge to a web page forwards only values that the page can receive.
  public func report(_ value: some Sendable) { progress?.report(value) }

  /// Calls a route by value and returns its result.
  @discardableResult
  public func call<R: Route>(_ route: R) async throws(RouteError) -> R.Output {
    try await mediator.call(route, caller: caller(wantsResult: true))
  }

  /// Calls a native route and returns its result.
  @discardableResult
  public func call<R: NativeRoute>(_ route: R) async throws(RouteError) -> R.Output {
    try await mediator.call(route, caller: caller(wantsResult: true))
  }

  /// Opens a URL and returns the result as the expected type.
  public func open<T: Sendable>(_ url: String, returning type: T.Type) async throws(RouteError) -> T {
    try await mediator.follow(.text(url), caller(wantsResult: true), returning: type)
  }

  /// Opens a URL and returns the result, or a default if no route returns the expected type.
  ///
  /// - Throws: Any error except `notFound`, `forbidden` and `resultMismatch`: a refusal or a failure does not
  ///   mean that the route is missing.
  public func open<T: Sendable>(
    _ url: String, returning type: T.Type, else fallback: @autoclosure () -> T
  ) async throws(RouteError) -> T {
    try await mediator.follow(.text(url), caller(wantsResult: true), returning: type, else: fallback)
  }

  /// Opens a URL without waiting for a result.
  public func open(_ url: String) async throws(RouteError) {
    _ = try await mediator.follow(.text(url), caller(wantsResult: false), expecting: nil)
  }

  /// Opens a URL that came with the call, such as a `next` parameter, with the permissions of the caller.
  public func forward(_ url: String) async throws(RouteError) {
    let caller = Caller(
      origin: origin, opener: place, wantsResult: false, allowed: allowed, ownTime: ownTime)
    _ = try await mediator.follow(.text(url), caller, expecting: nil)
  }

  func caller(wantsResult: Bool) -> Caller {
    Caller(origin: .native(module: module), opener: place, wantsResult: wantsResult, ownTime: ownTime)
  }
}
