extension Mediator {
  /// Calls a route by value and returns its result.
  ///
  /// - Throws: `RouteError.notFound` if no module declares the route, and the errors of guards and of the
  ///   route.
  @discardableResult
  public func call<R: Route>(_ route: R) async throws(RouteError) -> R.Output {
    try await call(route, caller: Caller(origin: .native(module: nil), wantsResult: true))
  }

  /// Calls a native route by value and returns its result.
  @discardableResult
  public func call<R: NativeRoute>(_ route: R) async throws(RouteError) -> R.Output {
    try await call(route, caller: Caller(origin: .native(module: nil), wantsResult: true))
  }

  /// Calls a route by value, receives its progress reports, and returns its result.
  ///
  /// - Parameter progress: Called by the route's code, in any task.
  @discardableResult
  public func call<R: Route>(
    _ route: R, progress: @escaping @Sendable (any Sendable) -> Void
  ) async throws(RouteError) -> R.Output {
    try await call(
      route,
      caller: Caller(origin: .native(module: nil), wantsResult: true, progress: ProgressForwarder(progress)))
  }

  /// Calls a native route by value, receives its progress reports, and returns its result.
  @discardableResult
  public func call<R: NativeRoute>(
    _ route: R, progress: @escaping @Sendable (any Sendable) -> Void
  ) async throws(RouteError) -> R.Output {
    try await call(
      route,
      caller: Caller(origin: .native(module: nil), wantsResult: true, progress: ProgressForwarder(progress)))
  }

  /// Opens a URL from within the app and returns the result as the expected type.
  ///
  /// The type is the route's `Output`, a superclass or an optional of it, or `any Sendable` for any result.
  ///
  /// - Throws: `RouteError.resultMismatch` if the route returns another type; neither guards nor the
  ///   route's code then run.
  public func open<T: Sendable>(_ url: String, returning type: T.Type) async throws(RouteError) -> T {
    try await open(url, returning: type, caller: Caller(origin: .native(module: nil), wantsResult: true))
  }

  /// Opens a URL from within the app and returns the result, or a default if no route returns the expected
  /// type.
  ///
  /// Use it where the app can do without the module that answers. `fallback` is evaluated only in that case.
  ///
  /// - Throws: Any error except `notFound`, `forbidden` and `resultMismatch`: a refusal or a failure does not
  ///   mean that the route is missing.
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

  /// Opens a URL from within the app without waiting for a result.
  public func open(_ url: String) async throws(RouteError) {
    _ = try await open(url, caller: Caller(origin: .native(module: nil), wantsResult: false))
  }

  func call<R: Route>(_ route: R, caller: Caller) async throws(RouteError) -> R.Output {
    let pattern = R.pattern
    guard let index = registry.indices[ObjectIdentifier(R.self)] else {
      throw failure(.notFound(url: pattern.text), nil, String(describing: R.self), caller.origin)
    }
    let text = try? url(for: route)
    let input = text.flatMap { try? RouteURL($0) }.map { url in
      RouteInput(url: url, pattern: pattern, isFromOutside: false)
    }
    let target = RouteTarget(route: registry.routes[index], value: route, text: text, input: input)
    return try await follow(.target(target), caller, returning: R.Output.self)
  }

  func call<R: NativeRoute>(_ route: R, caller: Caller) async throws(RouteError) -> R.Output {
    let name = String(describing: R.self)
    guard let index = registry.indices[ObjectIdentifier(R.self)] else {
      throw failure(.notFound(url: name), nil, name, caller.origin)
    }
    let target = RouteTarget(route: registry.routes[index], value: route, text: nil, input: nil)
    return try await follow(.target(target), caller, returning: R.Output.self)
  }

  func open<T: Sendable>(
    _ url: String, returning type: T.Type, caller: Caller
  ) async throws(RouteError) -> T {
    try await follow(.url(url), caller, returning: type)
  }

  func open(_ url: String, caller: Caller) async throws(RouteError) -> (any Sendable)? {
    try await follow(.url(url), caller, expecting: nil)
  }

  private func follow<T: Sendable>(
    _ destination: Destination, _ caller: Caller, returning type: T.Type
  ) async throws(RouteError) -> T {
    let answer = try await follow(destination, caller, expecting: type)
    if let answer {
      if let value = answer as? T { return value }
    } else if let nothing = () as? T {
      return nothing
    }
    // Routes of the table were compared before they ran. What is left are fallbacks, routes that were only
    // shown, and values of a superclass.
    let got = answer.map { String(describing: Swift.type(of: $0)) } ?? "nothing, because it was only shown"
    throw failure(
      .resultMismatch(expected: String(describing: T.self), got: got), destination.text, destination.name,
      caller.origin)
  }

  /// Reports an error to the observers and returns it.
  package func failure(
    _ error: RouteError, _ url: String?, _ name: String?, _ origin: Origin
  ) -> RouteError {
    observe(.failed(url: url, name: name, origin: origin, error))
    return error
  }
}
