extension Mediator {
  /// Calls a route by value and returns its result.
  ///
  /// - Parameters:
  ///   - route: The route with its parameters.
  ///   - progress: Receives what the route reports while it runs. Called by the route's code, in any task.
  /// - Throws: `RouteError.notFound` if no module declares the route, and the errors of guards and of the
  ///   route.
  @discardableResult
  public func call<R: Route>(
    _ route: R, progress: (@Sendable (any Sendable) -> Void)? = nil
  ) async throws(RouteError) -> R.Output {
    try await call(route, caller: .app(wantsResult: true, progress: progress))
  }

  /// Calls a native route by value and returns its result.
  @discardableResult
  public func call<R: NativeRoute>(
    _ route: R, progress: (@Sendable (any Sendable) -> Void)? = nil
  ) async throws(RouteError) -> R.Output {
    try await call(route, caller: .app(wantsResult: true, progress: progress))
  }

  func call<R: Route>(_ route: R, caller: Caller) async throws(RouteError) -> R.Output {
    guard let index = registry.indices[ObjectIdentifier(R.self)] else {
      throw failure(.notFound(url: R.pattern.text), nil, String(describing: R.self), caller.origin)
    }
    let registered = registry.routes[index]
    let place = CallPlace.value(CalledRoute(route, name: registered.name))
    let target = RouteTarget(
      route: registered, value: route, place: place, pattern: registered.pattern)
    return try await follow(.target(target), caller, returning: R.Output.self)
  }

  func call<R: NativeRoute>(_ route: R, caller: Caller) async throws(RouteError) -> R.Output {
    let name = String(describing: R.self)
    guard let index = registry.indices[ObjectIdentifier(R.self)] else {
      throw failure(.notFound(url: name), nil, name, caller.origin)
    }
    let registered = registry.routes[index]
    let target = RouteTarget(
      route: registered, value: route, place: .name(registered.name), pattern: nil)
    return try await follow(.target(target), caller, returning: R.Output.self)
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
      route, caller: .app(wantsResult: true, attachment: attachment))
  }

  /// Calls a native route with an attachment.
  package func call<R: NativeRoute>(
    _ route: R, attaching attachment: any Sendable
  ) async throws(RouteError) -> R.Output {
    try await call(
      route, caller: .app(wantsResult: true, attachment: attachment))
  }

  /// Opens a URL with an attachment, without waiting for a result.
  package func open(_ url: String, attaching attachment: any Sendable) async throws(RouteError) {
    let caller = Caller.app(wantsResult: false, attachment: attachment)
    _ = try await follow(.text(url), caller, expecting: nil)
  }

  /// Opens a parsed URL, without waiting for a result.
  package func open(_ url: RouteURL) async throws(RouteError) {
    _ = try await follow(.url(url), .app(wantsResult: false), expecting: nil)
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
    _ = try await mediator.follow(.text(url), caller, expecting: nil)
  }

  /// Opens a parsed URL whose screen a preparation receives, without waiting for a result.
  package func open(_ url: RouteURL, preparing preparation: any AnyObject & Sendable) async throws(RouteError)
  {
    var caller = caller(wantsResult: false)
    caller.preparation = preparation
    _ = try await mediator.follow(.url(url), caller, expecting: nil)
  }
}

extension Mediator {
  /// Opens a URL for code outside the app that may call only some routes, and returns the route's result.
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
  package func open(
    _ url: String, from source: LinkSource, opener: String? = nil, limitedTo routes: [any Route.Type],
    progress: (@Sendable (any Sendable) -> Void)? = nil
  ) async throws(RouteError) -> (any Sendable)? {
    let caller = Caller(
      origin: .external(source), opener: opener.map { .name($0) }, wantsResult: true,
      allowed: Set(routes.map { ObjectIdentifier($0) }), progress: progress.map { ProgressForwarder($0) })
    return try await follow(.link(url, source), caller, expecting: nil)
  }
}
