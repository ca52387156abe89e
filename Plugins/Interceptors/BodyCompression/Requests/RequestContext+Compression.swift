public import Interception

extension RequestContext {
  private enum RequestCompressionKey: ContextKey { static let defaultValue: RequestCompression? = nil }

  /// Which bodies are compressed, for this request; nil, the default, for the interceptor's own rule.
  ///
  /// Set it to ``RequestCompression/never`` if a body mixes secrets with text chosen by others: the
  /// compressed length reveals information about both.
  public var requestCompression: RequestCompression? {
    get { self[RequestCompressionKey.self] }
    set { self[RequestCompressionKey.self] = newValue }
  }
}
