/// An interceptor that is limited to some requests, as the pipeline sees it.
protocol ScopedStep: Interceptor {
  /// The requests that it processes.
  var scope: Request.Scope { get }
  /// The type of the interceptor that was limited.
  var baseType: ObjectIdentifier { get }

  /// Returns the interceptor with the responses to the requests of its scope collected into bytes.
  func collectingResponses(upTo limit: Int) -> any Interceptor
}
