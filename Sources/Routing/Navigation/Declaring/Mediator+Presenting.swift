public import Mediation

extension Mediator {
  /// Calls a route by value and overrides the presentation style that its screen declares.
  ///
  /// The style applies to that screen only: a login on the way, and the screen that a guard or a redirect
  /// table leads to instead, are presented as declared. It has no effect on a route without a screen.
  @discardableResult
  public func call<R: Route>(_ route: R, as style: Presentation) async throws(RouteError) -> R.Output {
    try await call(route, attaching: style)
  }

  /// Calls a native route and overrides the presentation style that its screen declares.
  @discardableResult
  public func call<R: NativeRoute>(_ route: R, as style: Presentation) async throws(RouteError) -> R.Output {
    try await call(route, attaching: style)
  }

  /// Opens a URL as code of the app and overrides the presentation style that its screen declares.
  ///
  /// The URL itself never chooses the style. If a guard or a redirect table leads to another URL, its screen
  /// is presented as declared.
  public func open(_ url: String, as style: Presentation) async throws(RouteError) {
    try await open(url, attaching: style)
  }
}

extension RouteContext {
  /// Calls a route by value and overrides the presentation style that its screen declares.
  @discardableResult
  public func call<R: Route>(_ route: R, as style: Presentation) async throws(RouteError) -> R.Output {
    try await call(route, attaching: style)
  }

  /// Calls a native route and overrides the presentation style that its screen declares.
  @discardableResult
  public func call<R: NativeRoute>(_ route: R, as style: Presentation) async throws(RouteError) -> R.Output {
    try await call(route, attaching: style)
  }

  /// Opens a URL and overrides the presentation style that its screen declares.
  public func open(_ url: String, as style: Presentation) async throws(RouteError) {
    try await open(url, attaching: style)
  }

  /// Returns the style of the screen that the call addresses: the caller's, or else the declared one.
  func style(declared: Presentation) -> Presentation { attachment as? Presentation ?? declared }
}
