import Switchyard

/// Changes requests on their way to the server, as an attacker would.
struct TamperingInterceptor: Interceptor {
  let traits = InterceptorTraits(stage: .wire)

  func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    guard request.context[Tampered.self] else { return try await next.dispatch(request) }
    var request = request
    request.head.path = (request.head.path ?? "/") + "?max_price=1"
    return try await next.dispatch(request)
  }
}
