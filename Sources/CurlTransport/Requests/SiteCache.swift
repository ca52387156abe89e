import HTTPTypes
import Interception
import Synchronization

/// The site of the previous request: an app sends many requests to one site in a row.
final class SiteCache: Sendable {
  let configuration: CurlDispatcher.Configuration
  private let latest = Mutex<RequestSite?>(nil)

  init(_ configuration: CurlDispatcher.Configuration) { self.configuration = configuration }

  func site(of head: HTTPRequest) throws(NetworkError) -> RequestSite {
    if let known = latest.withLock({ $0 }), known.isSite(of: head) { return known }
    let site = try RequestSite(head, configuration: configuration)
    try site.options.proxy?.check()
    latest.withLock { $0 = site }
    return site
  }
}
