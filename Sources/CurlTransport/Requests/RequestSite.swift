import HTTPTypes
import Interception
import Synchronization

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

/// The site of the request before: requests to one site come in rows.
final class SiteMemory: Sendable {
  /// The value of `User-Agent` where a request has none of its own.
  let userAgent: String?
  private let latest = Mutex<RequestSite?>(nil)

  init(userAgent: String?) { self.userAgent = userAgent }

  /// Returns the site of a request; the same as before costs a comparison.
  ///
  /// - Throws: ``NetworkError/Kind/invalidRequest``, which names the part that is wrong.
  func site(of head: HTTPRequest) throws(NetworkError) -> RequestSite {
    if let known = latest.withLock({ $0 }), known.isSite(of: head) { return known }
    let site = try RequestSite(head, userAgent: userAgent)
    latest.withLock { $0 = site }
    return site
  }
}
