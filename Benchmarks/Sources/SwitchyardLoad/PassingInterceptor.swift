import Interception

/// Does nothing but call the next one.
struct PassingInterceptor: Interceptor {
  let traits = InterceptorTraits(stage: .wire, multiplicity: .many)

  func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    try await next.dispatch(request)
  }
}
