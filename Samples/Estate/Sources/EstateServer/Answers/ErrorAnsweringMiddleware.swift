import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Turns every error below it into the API's JSON error; stands outermost.
struct ErrorAnsweringMiddleware<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch {
      let known = Self.apiError(for: error, request: request)
      if known == .internalFault {
        context.logger.error("request failed", metadata: ["error": "\(error)"])
      }
      return try Answer.json(ErrorBody(known), status: known.status, fields: known.fields)
        .response(to: request)
    }
  }

  private static func apiError(for error: any Error, request: Request) -> APIError {
    switch error {
    case let error as APIError: error
    case is NIOTooManyBytesError: .bodyTooLarge
    case let error as HTTPError where error.status == .notFound:
      .notFound("\(request.method.rawValue) \(request.uri.path.prefix(120))")
    case is CancellationError:
      APIError(.serviceUnavailable, "stopping", "The server stopped or the client left before the answer.")
    default: .internalFault
    }
  }
}
