import HTTPServing
import Switchyard

/// Admits requests to this machine by its own name, and restricts in the browser what pages may do: no
/// frames, no cached copies, and scripts only where a page has a policy of its own.
enum PageHeaders {
  private static let fields: [(HTTPField.Name?, String)] = [
    (
      .contentSecurityPolicy,
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; "
        + "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    (HTTPField.Name("Referrer-Policy"), "same-origin"), (.xContentTypeOptions, "nosniff"),
    (.cacheControl, "no-store"),
  ]

  /// Returns the response of `respond` with the fields of a page, or 421 for another name.
  static func adding(
    to request: ReceivedRequest, _ respond: (ReceivedRequest) async -> ServerResponse
  ) async -> ServerResponse {
    // Another site's name that resolves to 127.0.0.1 would give that site's pages the origin of these.
    let name = request.head.authority?.prefix { $0 != ":" } ?? ""
    guard name == "127.0.0.1" || name == "localhost" else { return ServerResponse(.misdirectedRequest) }
    var response = await respond(request)
    for case (let name?, let value) in fields where response.fields[name] == nil {
      response.fields[name] = value
    }
    return response
  }
}
