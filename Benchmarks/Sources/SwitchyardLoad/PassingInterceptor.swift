import Interception

/// Only calls the next dispatcher.
struct PassingInterceptor: Interceptor {
  let traits = InterceptorTraits(stage: .wire, multiplicity: .many)

  func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    try await next.dispatch(request)
  }
}
