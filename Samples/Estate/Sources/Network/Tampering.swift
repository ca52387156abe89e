import HTTPTypes
public import Interception

/// Whether a request's path is changed after it was signed, to show that the server notices.
public enum Tampered: ContextKey {
  /// Nobody tampers.
  public static let defaultValue = false
}

/// Plays the attacker between the app and its server.
struct TamperingInterceptor: Interceptor {
  let traits = InterceptorTraits(stage: .wire)

  func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    guard request.context[Tampered.self] else { return try await next.dispatch(request) }
    var request = request
    request.head.path = (request.head.path ?? "/") + "?max_price=1"
    return try await next.dispatch(request)
  }
}
