import APIManagers
import Interception

/// Lets the requests of other screens go first: an interceptor of a few managers, not of the app.
struct LowPriority: Interceptor {
  let traits = InterceptorTraits(stage: .validation, callsNext: .exactlyOnce)

  func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    var request = request
    request.options.priority = .low
    return try await next.dispatch(request)
  }
}

extension APIClient {
  /// The client with requests that let those of other screens go first.
  var atLowPriority: APIClient { get throws(PipelineIssue) { try inserting { LowPriority() } } }
}
