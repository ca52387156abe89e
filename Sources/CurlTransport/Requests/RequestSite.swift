import HTTPTypes
import Interception

/// What all requests to one site have in common: where they go, and the lines that their fields begin with.
///
/// It is a class because it goes from request to request and never changes: a copy costs one count.
final class RequestSite: Sendable {
  private let scheme: String?
  private let authority: String?
  let origin: WebOrigin
  /// The line of the authority.
  let hostLine: HeaderBlock
  /// The lines of a request that has neither fields of its own nor a body.
  let bareLines: HeaderBlock

  /// Checks scheme and authority.
  ///
  /// - Throws: ``NetworkError/Kind/invalidRequest``, which names the part that is wrong.
  init(_ head: HTTPRequest, userAgent: String?) throws(NetworkError) {
    scheme = head.scheme
    authority = head.authority
    origin = try RequestTarget.origin(of: head)
    var host = HeaderBlock()
    // Always our own: libcurl's would drop a default port that the caller wrote, and perhaps signed. The
    // authority was checked byte by byte.
    host.appendLine("Host: ", head.authority ?? "")
    hostLine = host
    bareLines = try RequestPlan.complete(host, userAgent: userAgent)
  }

  /// Whether a request goes there, written just so.
  func isSite(of head: HTTPRequest) -> Bool { authority == head.authority && scheme == head.scheme }
}
