import HTTPTypes
import Interception
import Synchronization

/// The site and the accepted codings of the previous request: an app sends many requests to one site in a
/// row.
final class SiteCache: Sendable {
  let configuration: CurlDispatcher.Configuration
  private let latest = Mutex<RequestSite?>(nil)
  private let latestCodings = Mutex<(list: [ContentCoding], value: String?)?>(nil)

  init(_ configuration: CurlDispatcher.Configuration) { self.configuration = configuration }

  func site(of head: HTTPRequest) throws(NetworkError) -> RequestSite {
    if let known = latest.withLock({ $0 }), known.isSite(of: head) { return known }
    let site = try RequestSite(head, configuration: configuration)
    try site.options.proxy?.check()
    latest.withLock { $0 = site }
    return site
  }

  /// Returns the value of `Accept-Encoding` for the codings of a list that the dispatcher decodes; nil if
  /// there is none.
  func acceptedCodings(_ list: [ContentCoding], decodable: [ContentCoding]) -> String? {
    guard !list.isEmpty else { return nil }
    if let latest = latestCodings.withLock({ $0 }), latest.list == list { return latest.value }
    let names = list.filter(decodable.contains).map(\.name)
    let value = names.isEmpty ? nil : names.joined(separator: ", ")
    latestCodings.withLock { $0 = (list, value) }
    return value
  }
}
