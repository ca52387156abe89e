/// What a route's code knows of the call, and its way to other routes.
///
/// A screen may keep it to open other routes later; calls made through it are the module's own.
public struct RouteContext: Sendable {
  /// The mediator that makes the call.
  public let mediator: Mediator
  /// The module whose code runs; nil for guards and the app's fallbacks.
  public let module: String?
  /// Who asked.
  public let origin: Origin
  /// The URL, query included, or the route's name of who asked: of the code whose context was used, or of the
  /// web page.
  public let opener: String?
  /// The URL that led here; nil if the route was called by value.
  public let url: RouteURL?
  /// Whether the caller waits for the route's answer; if not, a screen may be shown and left alone.
  public let wantsResult: Bool
  /// The URL of the route that runs, or its name.
  let here: String
  var progress: ProgressLine?
  /// The only routes that the caller may reach, if it is held to a list.
  var allowed: Set<ObjectIdentifier>?

  /// What the app lends under a key.
  public subscript<Key: RouteEnvironmentKey>(key: Key.Type) -> Key.Value? { mediator.environment[key] }

  /// Tells the caller how far the work is, if the caller asked to hear it.
  ///
  /// May be called from any task, any number of times. A web page gets values that are `PageRepresentable`.
  /// What is reported after the route's code has ended reaches nobody.
  public func report(_ value: some Sendable) { progress?.report(value) }

  /// Calls a route by value and returns its answer.
  @discardableResult
  public func call<R: Route>(_ route: R) async throws(RouteError) -> R.Output {
    try await mediator.call(route, caller: caller(wantsResult: true))
  }

  /// Calls a native route and returns its answer.
  @discardableResult
  public func call<R: NativeRoute>(_ route: R) async throws(RouteError) -> R.Output {
    try await mediator.call(route, caller: caller(wantsResult: true))
  }

  /// Opens a URL and returns its answer of the type expected.
  public func open<T: Sendable>(_ url: String, returning type: T.Type) async throws(RouteError) -> T {
    try await mediator.open(url, returning: type, caller: caller(wantsResult: true))
  }

  /// Opens a URL and returns its answer, or another value if nothing answers or it answers another type.
  ///
  /// - Throws: All but `notFound`, `forbidden` and `resultMismatch`: a refusal or a failure is no missing
  ///   route.
  public func open<T: Sendable>(
    _ url: String, returning type: T.Type, else fallback: @autoclosure () -> T
  ) async throws(RouteError) -> T {
    do throws(RouteError) {
      return try await open(url, returning: type)
    } catch {
      guard error.isLackOfAnswer else { throw error }
      return fallback()
    }
  }

  /// Opens a URL and waits for no answer.
  public func open(_ url: String) async throws(RouteError) {
    _ = try await mediator.open(url, caller: caller(wantsResult: false))
  }

  /// Opens a URL that came with the call (a `next` parameter, for one) with no more rights than the caller
  /// has.
  public func forward(_ url: String) async throws(RouteError) {
    let caller = Caller(origin: origin, opener: here, wantsResult: false, allowed: allowed)
    _ = try await mediator.open(url, caller: caller)
  }

  private func caller(wantsResult: Bool) -> Caller {
    Caller(origin: .native(module: module), opener: here, wantsResult: wantsResult)
  }
}
