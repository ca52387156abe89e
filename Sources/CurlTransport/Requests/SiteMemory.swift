import HTTPTypes
import Interception
import Synchronization

/// The site of the request before: requests to one site come in rows.
final class SiteMemory: Sendable {
  /// The value of `User-Agent` where a request has none of its own.
  let userAgent: String?
  private let proxies: ProxyPolicy
  private let latest = Mutex<RequestSite?>(nil)

  init(userAgent: String?, proxies: ProxyPolicy = .direct) {
    self.userAgent = userAgent
    self.proxies = proxies
  }

  /// Returns the site of a request; the same as before costs a comparison.
  ///
  /// - Throws: ``NetworkError/Kind/invalidRequest``, which names the part that is wrong.
  func site(of head: HTTPRequest) throws(NetworkError) -> RequestSite {
    if let known = latest.withLock({ $0 }), known.isSite(of: head) { return known }
    let site = try RequestSite(head, userAgent: userAgent)
    try proxies.proxy(for: site.origin)?.check()
    latest.withLock { $0 = site }
    return site
  }
}
