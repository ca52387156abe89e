/// What happens to a redirect; the terms are those of the Fetch Standard's redirect mode.
public enum RedirectMode: Sendable, Hashable {
  /// It is followed; the default.
  case follow
  /// The response that redirects is returned as it is, for a caller that reads `Location` itself, or whose
  /// request must reach no other server.
  case manual
  /// The call fails with a `RedirectError`, as for an API that never redirects.
  case refuse
}

extension RequestContext {
  private enum RedirectModeKey: ContextKey { static let defaultValue = RedirectMode.follow }

  /// What happens to redirects of this request; they are followed by default.
  ///
  /// ```swift
  /// request.context.redirects = .manual
  /// ```
  ///
  /// It has an effect only in a chain with a `RedirectInterceptor`: dispatchers follow no redirects.
  public var redirects: RedirectMode {
    get { self[RedirectModeKey.self] }
    set { self[RedirectModeKey.self] = newValue }
  }
}
