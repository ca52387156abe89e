public import Mediation

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
