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
