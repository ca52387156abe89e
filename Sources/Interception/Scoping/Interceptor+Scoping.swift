extension Interceptor {
  /// Returns the interceptor limited to some requests; others pass it unchanged.
  ///
  /// ```swift
  /// let pipeline = try Pipeline(over: dispatcher) {
  ///   SigningInterceptor(key: estateKey).only(for: .service("estate"))
  ///   SigningInterceptor(key: mediaKey).only(for: .service("media"))
  ///   LoggingInterceptor(logger: logger).only(for: .where { $0.head.method == .post })
  /// }
  /// ```
  ///
  /// It has the same traits and name. An interceptor that may be registered once may be registered repeatedly
  /// with scopes that don't name the same service, API or authority. Whether two of them apply to the same
  /// request for another reason, such as a predicate, is not checked.
  ///
  /// Bodies are collected for it only if the request is in the scope, and a ``PipelineObserver`` receives
  /// only the events of calls that are in the scope when they start. A limit on a limited interceptor applies
  /// in addition.
  public func only(for scope: Request.Scope) -> some Interceptor { ScopedInterceptor(self, to: scope) }
}
