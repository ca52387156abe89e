import HTTPTypes
import Interception

/// What all requests to one site share: where they go, and the header lines that they begin with.
final class RequestSite: Sendable {
  private let scheme: String?
  let hostLine: HeaderBlock
  /// Host and port as written.
  let authority: String
  /// The header lines of a request that has neither fields of its own nor a body.
  let bareLines: HeaderBlock
  let origin: WebOrigin
  let options: OriginOptions

  init(_ head: HTTPRequest, configuration: CurlDispatcher.Configuration) throws(NetworkError) {
    scheme = head.scheme
    authority = head.authority ?? ""
    origin = try RequestTarget.origin(of: head)
    // swift-http-types would replace such a character by a space, and trim the value.
    guard configuration.userAgent.map(HTTPField.isValidValue) ?? true else {
      throw .invalidRequest(
        "Configuration.userAgent of CurlDispatcher holds a control character, or white space at an end; remove it."
      )
    }
    options = OriginOptions(origin, authority: authority, configuration: configuration)
    var host = HeaderBlock()
    // libcurl's own line would lack a default port that the caller wrote. The authority was checked byte by
    // byte.
    host.appendLine("Host: ", authority)
    hostLine = host
    bareLines = try RequestPlan.complete(host, userAgent: configuration.userAgent)
  }

  /// Whether the authority and the scheme of a request are written in the same way.
  func isSite(of head: HTTPRequest) -> Bool { authority == head.authority && scheme == head.scheme }
}

extension RequestSite: Equatable {
  /// Whether the options of both are equal; successive requests usually share one site.
  static func == (first: RequestSite, second: RequestSite) -> Bool {
    first === second || first.options == second.options
  }
}
