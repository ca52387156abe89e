public import Interception

extension RequestContext {
  private enum RedirectModeKey: ContextKey { static let defaultValue = RedirectMode.follow }

  /// What happens to redirects of this request; they are followed by default.
  ///
  /// ```swift
  /// request.context.redirects = .manual
  /// ```
  ///
  /// It has an effect only in a chain with a ``RedirectInterceptor``.
  public var redirects: RedirectMode {
    get { self[RedirectModeKey.self] }
    set { self[RedirectModeKey.self] = newValue }
  }
}
