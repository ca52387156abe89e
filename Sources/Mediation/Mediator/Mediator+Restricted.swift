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
