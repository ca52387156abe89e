public import Interception

extension APIClient {
  /// Returns a client whose requests also pass further interceptors, each behind the app's interceptors up to
  /// its own stage.
  ///
  /// Use it for what concerns one manager or one module:
  ///
  /// ```swift
  /// let houses = APIManager(HouseList(), client: try client.inserting { Tracing(screen: "houses") })
  /// ```
  ///
  /// The app's interceptors and their state are shared. If the client's dispatcher is no `Pipeline`,
  /// such as a test double, the interceptors precede it.
  ///
  /// - Throws: `PipelineIssue`, which lists all faults of multiplicity and requirements.
  public func inserting(
    @PipelineBuilder _ interceptors: () -> [any Interceptor]
  ) throws(PipelineIssue) -> APIClient {
    var client = self
    if let pipeline = dispatcher as? Pipeline {
      client.dispatcher = try pipeline.inserting(interceptors)
    } else {
      client.dispatcher = try Pipeline(over: dispatcher) {}.inserting(interceptors)
    }
    return client
  }
}
