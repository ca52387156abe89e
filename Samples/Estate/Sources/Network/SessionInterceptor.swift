import HTTPTypes
public import Interception

/// Adds the session's token to requests; an interceptor of the app's own.
public struct SessionInterceptor: Interceptor {
  /// Before signing, so that the signature covers the token.
  public let traits = InterceptorTraits(stage: .authorization)
  private let session: Session

  /// Creates an interceptor for a session.
  public init(_ session: Session) { self.session = session }

  /// Adds the token to requests of the estate service.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    var request = request
    if request.context.api?.service == "estate", let token = session.token {
      request.head.headerFields[.authorization] = "Bearer \(token)"
    }
    return try await next.dispatch(request)
  }
}
