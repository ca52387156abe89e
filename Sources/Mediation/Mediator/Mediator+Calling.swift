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

// For kinds of routes that take more from a caller than the route's value, such as the style of a screen.

extension Mediator {
  /// Calls a route by value with an attachment, which the route's context contains unless the call is
  /// redirected.
  package func call<R: Route>(
    _ route: R, attaching attachment: any Sendable
  ) async throws(RouteError) -> R.Output {
    try await call(
      route, caller: Caller(origin: .native(module: nil), wantsResult: true, attachment: attachment))
  }

  /// Calls a native route with an attachment.
  package func call<R: NativeRoute>(
    _ route: R, attaching attachment: any Sendable
  ) async throws(RouteError) -> R.Output {
    try await call(
      route, caller: Caller(origin: .native(module: nil), wantsResult: true, attachment: attachment))
  }

  /// Opens a URL with an attachment, without waiting for a result.
  package func open(_ url: String, attaching attachment: any Sendable) async throws(RouteError) {
    _ = try await open(
      url, caller: Caller(origin: .native(module: nil), wantsResult: false, attachment: attachment))
  }
}

extension RouteContext {
  /// Calls a route by value with an attachment, which the route's context contains unless the call is
  /// redirected.
  package func call<R: Route>(
    _ route: R, attaching attachment: any Sendable
  ) async throws(RouteError) -> R.Output {
    var caller = caller(wantsResult: true)
    caller.attachment = attachment
    return try await mediator.call(route, caller: caller)
  }

  /// Calls a native route with an attachment.
  package func call<R: NativeRoute>(
    _ route: R, attaching attachment: any Sendable
  ) async throws(RouteError) -> R.Output {
    var caller = caller(wantsResult: true)
    caller.attachment = attachment
    return try await mediator.call(route, caller: caller)
  }

  /// Opens a URL with an attachment, without waiting for a result.
  package func open(_ url: String, attaching attachment: any Sendable) async throws(RouteError) {
    var caller = caller(wantsResult: false)
    caller.attachment = attachment
    _ = try await mediator.open(url, caller: caller)
  }
}

extension Mediator {
  /// Opens a URL for code outside the app that may call some routes only, and returns the route's result.
  ///
  /// Use it to serve a script in a web page, another process or an intent. The caller reaches a route only if
  /// the route is listed here and its exposure admits the source; neither a guard nor a redirect can lead the
  /// call to another route. No fallback runs. Unknown, unlisted and unexposed routes all have the same
  /// outcome, `RouteError.notFound`; observers can tell them apart. The call does not wait in the queue of
  /// links.
  ///
  /// - Parameters:
  ///   - source: Where the call comes from. Determine it in the app, never from the call's own data.
  ///   - opener: The URL or the name of the caller, for guards and observers.
  ///   - routes: The routes that the caller may call.
  ///   - progress: Receives what the route reports while it runs. Called from any task.
  /// - Returns: The route's result; nil if the route was shown.
  public func open(
    _ url: String, from source: LinkSource, opener: String? = nil, limitedTo routes: [any Route.Type],
    progress: (@Sendable (any Sendable) -> Void)? = nil
  ) async throws(RouteError) -> (any Sendable)? {
    let caller = Caller(
      origin: .external(source), opener: opener, wantsResult: true,
      allowed: Set(routes.map { ObjectIdentifier($0) }), progress: progress.map { ProgressForwarder($0) })
    if let head = try? URLHead(url), !source.fits(head) {
      return try await fallBack(url, asked: url, .forbidden(url: url, origin: caller.origin), caller)
    }
    return try await open(url, caller: caller)
  }
}
