import HTTPTypes
import Interception

/// Responds with 401 to requests on behalf of another account than the session's, without sending them: they
/// would carry the token of the wrong member.
struct AccountCheckInterceptor: Interceptor {
  let traits = InterceptorTraits(stage: .validation, callsNext: .atMostOnce)
  let session: Session

  func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    guard request.context.partition == session.name else { return Response(status: .unauthorized) }
    return try await next.dispatch(request)
  }
}
