public import Interception

extension RequestContext {
  private enum SendsCredentialsKey: ContextKey { static let defaultValue = true }

  /// Whether ``AuthorizationInterceptor`` adds credentials to the request; true by default.
  ///
  /// Set it to false for requests that obtain a token, such as a login, if they use the same pipeline: with
  /// credentials they would wait for the refresh that they are part of.
  public var sendsCredentials: Bool {
    get { self[SendsCredentialsKey.self] }
    set { self[SendsCredentialsKey.self] = newValue }
  }
}
