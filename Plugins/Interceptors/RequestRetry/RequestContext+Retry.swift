public import Interception

extension RequestContext {
  private enum RetryPolicyKey: ContextKey { static let defaultValue: RetryPolicy? = nil }

  /// When this request is retried; nil, the default, for the interceptor's own policy.
  ///
  /// Set it to ``RetryPolicy/never`` for a request that must be sent at most once; the dispatcher then does
  /// not send it again either when a reused connection turns out to be closed.
  public var retryPolicy: RetryPolicy? {
    get { self[RetryPolicyKey.self] }
    set {
      self[RetryPolicyKey.self] = newValue
      let isSentOnce = newValue.map { $0.attemptLimit <= 1 } ?? false
      if isSentOnce != self.isSentOnce { self.isSentOnce = isSentOnce }
    }
  }
}
