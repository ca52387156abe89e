import HTTPTypes
import Hummingbird

/// Lets in only who asks for this machine by its name, and tells the browser what pages may do: no frames, no
/// copies, and no scripts but where a page has a policy of its own.
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
    for case (let name?, let value) in Self.fields where response.headers[name] == nil {
      response.headers[name] = value
    }
    return response
  }
}
