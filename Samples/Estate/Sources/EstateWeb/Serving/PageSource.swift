import HTTPServing
import Switchyard

/// Where a request for a page comes from, as the browser says.
enum PageSource: Equatable {
  /// A page of this app.
  case app
  /// The address bar or a bookmark.
  case user
  /// A page of another host.
  case page(String)

  init(_ request: ReceivedRequest) {
    let fields = request.head.headerFields
    let site = HTTPField.Name("Sec-Fetch-Site").flatMap { fields[$0] }
    let referrer = fields[.referer] ?? ""
    let authority = referrer.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" }
    let isHTTP = referrer.hasPrefix("http://") || referrer.hasPrefix("https://")
    if isHTTP, !authority.isEmpty {
      let isOwn = String(authority) == request.head.authority && site ?? "same-origin" == "same-origin"
      self = isOwn ? .app : .page(Self.name(of: authority))
    } else {
      self = site == "same-origin" ? .app : site == "none" ? .user : .page(Self.unknown)
    }
  }

  /// A host that no route is open to.
  private static let unknown = "unknown.invalid"

  /// The host; another port of this machine is not this app.
  private static func name(of authority: Substring) -> String {
    let name = String(authority.prefix { $0 != ":" })
    return name == WebSession.pageHost || name == "localhost" ? unknown : name
  }
}
