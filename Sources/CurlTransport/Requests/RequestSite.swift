import HTTPTypes
import Interception

/// What all requests to one site have in common: where they go, and the lines that their fields begin with.
///
/// A class, so that passing it from request to request costs one retain.
final class RequestSite: Sendable {
  private let scheme: String?
  /// The line of the authority.
  let hostLine: HeaderBlock
  /// Host and port as written.
  let authority: String
  /// The lines of a request that has neither fields of its own nor a body.
  let bareLines: HeaderBlock
  let origin: WebOrigin
  /// What libcurl is told about the origin.
  let options: OriginOptions

  /// Checks scheme and authority.
  ///
  /// - Throws: ``NetworkError/Kind/invalidRequest``, which names the part that is wrong.
  init(_ head: HTTPRequest, configuration: CurlDispatcher.Configuration) throws(NetworkError) {
    scheme = head.scheme
    authority = head.authority ?? ""
    origin = try RequestTarget.origin(of: head)
    // swift-http-types would replace such a character by a space, and trim the value.
    guard configuration.userAgent.map(HTTPField.isValidValue) ?? true else {
      throw RequestTarget.invalid(
        "Configuration.userAgent of CurlDispatcher holds a control character, or white space at an end; remove it."
      )
    }
    options = OriginOptions(origin, authority: authority, configuration: configuration)
    var host = HeaderBlock()
    // Always our own: libcurl's would drop a default port that the caller wrote, and perhaps signed. The
    // authority was checked byte by byte.
    host.appendLine("Host: ", authority)
    hostLine = host
    bareLines = try RequestPlan.complete(host, userAgent: configuration.userAgent)
  }

  /// Whether a request goes there, written just so.
  func isSite(of head: HTTPRequest) -> Bool { authority == head.authority && scheme == head.scheme }
}
