public import Interception

extension RequestContext {
  private enum RequestCodingKey: ContextKey { static let defaultValue: RequestCoding? = nil }

  /// Which bodies are compressed, for this request; nil, the default, for the interceptor's own rule.
  ///
  /// Set it to ``RequestCoding/never`` if a body mixes secrets with text chosen by someone else: the
  /// compressed length reveals information about both.
  public var requestCoding: RequestCoding? {
    get { self[RequestCodingKey.self] }
    set { self[RequestCodingKey.self] = newValue }
  }
}
