import HTTPTypes
public import Interception

/// Shows the server who is logged in: an interceptor of the app's own.
public struct SessionInterceptor: Interceptor {
  /// Outside signing, so that the token is added before the request is signed.
  public let traits = InterceptorTraits(stage: .authorization)
  private let session: Session

  /// Takes the token from a session.
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
