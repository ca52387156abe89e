import HTTPTypes
import Hummingbird
import Logging

/// Logs one line for each request: method, path, status and time taken; no header, query or body reaches the
/// log.
struct AccessLogMiddleware<Context: RequestContext>: RouterMiddleware {
  private let clock = ContinuousClock()

  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    let start = clock.now
    let response = try await next(request, context)
    context.logger.info(
      "\(request.method.rawValue) \(request.uri.path.prefix(120)) \(response.status.code)",
      metadata: ["took": "\(start.duration(to: clock.now))"])
    return response
  }
}
