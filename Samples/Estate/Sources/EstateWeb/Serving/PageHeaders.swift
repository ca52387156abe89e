import HTTPTypes
import Hummingbird

/// Lets in only who asks for this machine by its name, and tells the browser what pages may do: no scripts, no frames, no copies.
struct PageHeaders: RouterMiddleware {
  private static let fields: [(HTTPField.Name?, String)] = [
    (
      .contentSecurityPolicy,
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'"
    ),
    (HTTPField.Name("Referrer-Policy"), "same-origin"), (.xContentTypeOptions, "nosniff"),
    (.cacheControl, "no-store"),
  ]

  func handle(
    _ request: Request, context: BasicRequestContext,
    next: @concurrent (Request, BasicRequestContext) async throws -> Response
  ) async throws -> Response {
    // A foreign name that leads to 127.0.0.1 would make a foreign page one of this origin.
    let name = request.head.authority?.prefix { $0 != ":" } ?? ""
    guard name == "127.0.0.1" || name == "localhost" else { return Response(status: .misdirectedRequest) }
    var response: Response
    do {
      response = try await next(request, context)
    } catch let error as HTTPError {
      response = Response(status: error.status)
    }
    for case (let name?, let value) in Self.fields { response.headers[name] = value }
    return response
  }
}
