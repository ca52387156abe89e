public import Interception

extension RequestContext {
  private enum RetryPolicyKey: ContextKey { static let defaultValue: RetryPolicy? = nil }
  private enum IdempotencyKey: ContextKey { static let defaultValue: Bool? = nil }

  /// When this request is retried; nil, the default, for the interceptor's own policy.
  ///
  /// Set it to ``RetryPolicy/never`` for a request that must be sent at most once.
  public var retryPolicy: RetryPolicy? {
    get { self[RetryPolicyKey.self] }
    set { self[RetryPolicyKey.self] = newValue }
  }

  /// Whether processing this request twice has the same effect as processing it once; nil, the default, to
  /// decide by the method and the `Idempotency-Key` field.
  ///
  /// Set it to true for a POST that only reads, or whose server recognizes repetitions by a value in the
  /// body, and to false for a GET that changes something.
  public var isIdempotent: Bool? {
    get { self[IdempotencyKey.self] }
    set { self[IdempotencyKey.self] = newValue }
  }
}
