public import Interception

extension RequestContext {
  private enum RequestCodingKey: ContextKey { static let defaultValue: RequestCoding? = nil }

  /// Which rule holds for this request's body in place of the interceptor's own; nil for the interceptor's
  /// own.
  ///
  /// Set it to ``RequestCoding/never`` where a body mixes secrets with text that somebody else chose: the
  /// coded length tells about both.
  public var requestCoding: RequestCoding? {
    get { self[RequestCodingKey.self] }
    set { self[RequestCodingKey.self] = newValue }
  }
}
