extension Pipeline {
  /// Returns a pipeline with further interceptors, each behind those of this pipeline up to its own stage.
  ///
  /// Use it for interceptors that only some callers need, such as one manager or one service. The app's
  /// interceptors, with their state, and the dispatcher are shared with this pipeline. If all callers send
  /// such requests, register one interceptor with the app and let it ignore other requests.
  ///
  /// ```swift
  /// let reports = try pipeline.inserting {
  ///   InlineInterceptor("tenant", stage: .authorization) { request, next in
  ///     var request = request
  ///     request.head.headerFields[.userAgent] = "Reports/1"
  ///     return try await next.dispatch(request)
  ///   }
  /// }
  /// ```
  ///
  /// Interceptors of equal stages keep their order, and the ones of this pipeline come first.
  ///
  /// - Throws: ``PipelineIssue``, which lists all faults of multiplicity and requirements.
  public func inserting(
    @PipelineBuilder _ interceptors: () -> [any Interceptor]
  ) throws(PipelineIssue) -> Pipeline {
    var all = self.interceptors
    for interceptor in interceptors() {
      let stage = interceptor.traits.stage
      let place = all.lastIndex { $0.traits.stage <= stage }.map { $0 + 1 } ?? 0
      all.insert(interceptor, at: place)
    }
    return try Pipeline(over: base, named: baseName, observers: ownObservers, time: time, all)
  }
}
