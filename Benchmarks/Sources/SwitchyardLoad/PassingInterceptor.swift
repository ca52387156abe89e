import Interception

/// Only calls the next dispatcher.
struct PassingInterceptor: Interceptor {
  let traits = InterceptorTraits(stage: .wire, allowsSeveral: true)

  func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    try await next.dispatch(request)
  }
}
