import Switchyard

/// Refuses requests while there is no network, as managers and clients do for their own.
struct NetworkCheckInterceptor: Interceptor {
  let traits = InterceptorTraits(stage: .validation)
  let network: ReachabilityState

  func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    guard network.status != .offline else {
      throw NetworkError(.offline, "There is no network; connect to one, and the request is sent again.")
    }
    return try await next.dispatch(request)
  }
}
