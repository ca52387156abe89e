import HTTPTypes
import Interception

/// The mapping between the app's own scheme and https, for the listed sites.
///
/// The web view knows a page as `estate-page://www.example.com/a`, and the network knows the same page as
/// `https://www.example.com/a`. Unlisted sites are never reached, and a page reaches only its own site: it
/// could otherwise send requests to others with the app's cookies.
struct PageOrigins: Sendable {
  /// The schemes that web views handle themselves, or that have no hosts.
  private static let reserved: Set<String> = [
    "http", "https", "ws", "wss", "ftp", "file", "about", "blob", "data", "javascript", "mailto", "tel",
    "sms",
  ]
  /// Fields of the connection, and fields that the chain sets: the codings that its interceptors decode, and
  /// the app's cookies.
  private static let droppedFromRequests = names(
    "Accept-Encoding", "Connection", "Content-Length", "Cookie", "Expect", "Host", "Keep-Alive",
    "Proxy-Authorization", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade")
  /// Fields of the connection and of https, and the cookies, which scripts must not see.
  private static let droppedFromResponses = names(
    "Alt-Svc", "Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Connection", "Set-Cookie",
    "Strict-Transport-Security", "Trailer", "Transfer-Encoding", "Upgrade")
  /// The fields whose value is one URL.
  private static let urlFields = names("Location", "Content-Location", "SourceMap")
  /// The fields in which origins stand between white space, commas and semicolons.
  private static let originFields = names(
    "Access-Control-Allow-Origin", "Timing-Allow-Origin", "Content-Security-Policy",
    "Content-Security-Policy-Report-Only")
  /// The field with a time and a URL.
  private static let refreshFields = names("Refresh")
  /// The field in which URLs stand in angle brackets.
  private static let linkFields = names("Link")

  let scheme: String
  let sites: Set<String>

  init(scheme: String, sites: [String]) throws(PageHandlerError) {
    let lowercased = scheme.lowercased()
    let isScheme = URIReference("\(lowercased)://a/").scheme == lowercased
    guard isScheme, !Self.reserved.contains(lowercased) else { throw .scheme(scheme) }
    guard !sites.isEmpty else { throw .site(nil) }
    var listed: Set<String> = []
    for site in sites {
      guard let canonical = PageSite.canonical(site), listed.insert(canonical).inserted else {
        throw .site(site)
      }
    }
    self.scheme = lowercased
    self.sites = listed
  }

  // MARK: Requests

  /// Returns a web view's request as the network knows it.
  ///
  /// - Throws: `NetworkError.Kind.invalidRequest` for another scheme or an unlisted site, and
  ///   `NetworkError.Kind.rejected` for a request that a page of another origin has made.
  func request(_ request: Request) throws(NetworkError) -> Request {
    let head = request.head
    guard head.scheme?.lowercased() == scheme else {
      throw NetworkError(
        .invalidRequest, "The handler of pages answers only URLs with the scheme \"\(scheme)\".")
    }
    guard let site = site(ofPage: head.authority ?? "") else {
      throw NetworkError(
        .invalidRequest, "The URL's host is none of the handler's sites; list the site, or open an https URL."
      )
    }
    guard !isForeign(head, site: site) else {
      throw NetworkError(
        .rejected,
        "A page of another origin has made the request; only the site's own pages, and links, may.")
    }
    var mapped = request
    mapped.head.scheme = "https"
    mapped.head.authority = site
    let fields = head.headerFields
    let connection = Set(fields.members(of: .connection).map { $0.lowercased() })
    mapped.head.headerFields.removeAll {
      Self.droppedFromRequests.contains($0.name) || connection.contains($0.name.canonicalName)
        || $0.name == .origin || $0.name == .referer
    }
    if let origin = fields.singleValue(.origin) {
      mapped.head.headerFields[.origin] = networkURL(origin) ?? "null"
    }
    if let referrer = fields.singleValue(.referer) {
      // An unlisted site in the app's scheme has no URL that the network knows.
      mapped.head.headerFields[.referer] = networkURL(referrer) ?? (isPage(referrer) ? nil : referrer)
    }
    return mapped
  }

  /// Whether a request is a navigation, by a link or a form, whose answer becomes a document.
  static func isNavigation(_ head: HTTPRequest) -> Bool {
    if let destination = value("sec-fetch-dest", of: head) {
      return ["document", "iframe", "frame"].contains(destination)
    }
    return head.headerFields[.accept]?.hasPrefix("text/html") == true
  }

  /// Whether a request is a navigation whose answer becomes the web view's document, not that of a frame.
  static func isDocument(_ head: HTTPRequest) -> Bool {
    isNavigation(head) && ["document", nil].contains(value("sec-fetch-dest", of: head))
  }

  /// Whether a page of another origin, listed or not, has made a request, other than by a link that the user
  /// followed.
  ///
  /// Such a request would carry the app's cookies. `SameSite=Lax` prevents the same in a browser (RFC
  /// 6265bis, section 5.2). A link may come from anywhere, but one that states an `Origin` only from a listed
  /// site.
  private func isForeign(_ head: HTTPRequest, site: String) -> Bool {
    let fields = head.headerFields
    let isLink = (head.method == .get || head.method == .head) && Self.isDocument(head)
    if fields.contains(where: { $0.name == .origin }) {
      guard let origin = fields.singleValue(.origin), let sender = siteOfPage(origin) else { return true }
      return sender != site && !isLink
    }
    if let referrer = fields.singleValue(.referer) { return siteOfPage(referrer) != site && !isLink }
    switch Self.value("sec-fetch-site", of: head) {
    case "cross-site", "same-site": return !isLink
    default: return false
    }
  }

  private static func value(_ name: String, of head: HTTPRequest) -> String? {
    HTTPField.Name(name).flatMap { head.headerFields.singleValue($0) }?.lowercased()
  }

  // MARK: Responses

  /// Returns a response's head as the web view knows it.
  func response(_ head: HTTPResponse) -> HTTPResponse {
    var mapped = head
    let connection = Set(head.headerFields.members(of: .connection).map { $0.lowercased() })
    mapped.headerFields = HTTPFields(
      head.headerFields.compactMap { field -> HTTPField? in
        guard !Self.droppedFromResponses.contains(field.name),
          !connection.contains(field.name.canonicalName)
        else { return nil }
        if Self.urlFields.contains(field.name) {
          return pageURL(field.value).map { HTTPField(name: field.name, value: $0) } ?? field
        }
        if Self.originFields.contains(field.name) {
          return HTTPField(name: field.name, value: mappingURLs(in: field.value, after: " \t,;", to: " \t,;"))
        }
        if Self.linkFields.contains(field.name) {
          return HTTPField(name: field.name, value: mappingURLs(in: field.value, after: "<", to: "<>"))
        }
        if Self.refreshFields.contains(field.name) {
          return HTTPField(name: field.name, value: mappingRefresh(field.value))
        }
        return field
      })
    return mapped
  }

  /// Maps the URL of a `Refresh` field, such as `5; url=https://www.example.com/` (HTML Standard, "shared
  /// declarative refresh steps").
  private func mappingRefresh(_ text: String) -> String {
    func skip(_ bytes: Substring.UTF8View, _ characters: String) -> Substring.UTF8View {
      bytes.drop { characters.utf8.contains($0) }
    }
    let space = " \t"
    let afterTime = skip(skip(text.utf8[...], space), "0123456789.")
    var rest = skip(skip(skip(afterTime, space), ";,"), space)
    guard rest.startIndex != afterTime.startIndex else { return text }
    if String(decoding: rest.prefix(3), as: UTF8.self).lowercased() == "url" {
      let afterName = skip(rest.dropFirst(3), space)
      if afterName.first == UInt8(ascii: "=") { rest = skip(afterName.dropFirst(), space) }
    }
    var end = rest.endIndex
    if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      rest = rest.dropFirst()
      end = rest.firstIndex(of: quote) ?? end
    }
    guard let mapped = pageURL(String(Substring(rest[..<end]))) else { return text }
    return "\(text[..<rest.startIndex])\(mapped)\(text[end...])"
  }

  /// Maps the URLs in a text.
  ///
  /// A URL begins after a character of `starts` and ends before one of `ends`.
  private func mappingURLs(in text: String, after starts: String, to ends: String) -> String {
    var result: [UInt8] = []
    var rest = text.utf8[...]
    var isStart = !starts.utf8.contains(UInt8(ascii: "<"))
    while let byte = rest.first {
      if isStart {
        let url = rest.prefix { !ends.utf8.contains($0) }
        if !url.isEmpty, let mapped = pageURL(String(Substring(url))) {
          result += mapped.utf8
          rest = rest[url.endIndex...]
          isStart = false
          continue
        }
      }
      isStart = starts.utf8.contains(byte)
      result.append(byte)
      rest = rest.dropFirst()
    }
    return String(decoding: result, as: UTF8.self)
  }

  // MARK: URLs

  /// Returns the https form of a page's URL or origin; nil unless the page is of a listed site.
  func networkURL(_ text: String) -> String? {
    guard let (authority, rest) = Self.split(text, scheme: scheme), let site = site(ofPage: authority) else {
      return nil
    }
    return "https://\(site)\(rest)"
  }

  /// The site of a page's URL or origin; nil unless it is listed.
  private func siteOfPage(_ text: String) -> String? {
    Self.split(text, scheme: scheme).flatMap { site(ofPage: $0.authority) }
  }

  /// Returns the page's form of an https URL or origin; nil unless it is of a listed site.
  func pageURL(_ text: String) -> String? {
    guard let (authority, rest) = Self.split(text, scheme: "https"), let site = PageSite.canonical(authority),
      sites.contains(site)
    else { return nil }
    return "\(scheme)://\(site)\(rest)"
  }

  private func isPage(_ text: String) -> Bool { Self.split(text, scheme: scheme) != nil }

  /// The listed site of an authority in the app's scheme.
  ///
  /// Web views compare origins by their text: with the port of https, or a dot at the end, the same site
  /// would have a second origin.
  private func site(ofPage authority: String) -> String? {
    let lowercased = authority.lowercased()
    return sites.contains(lowercased) ? lowercased : nil
  }

  /// Splits a URL of a scheme into its authority and what follows.
  private static func split(_ text: String, scheme: String) -> (authority: String, rest: Substring)? {
    let bytes = text.utf8
    let prefix = "\(scheme)://"
    guard bytes.count >= prefix.utf8.count,
      let start = bytes.index(bytes.startIndex, offsetBy: prefix.utf8.count, limitedBy: bytes.endIndex),
      String(decoding: bytes[..<start], as: UTF8.self).lowercased() == prefix
    else { return nil }
    let end = bytes[start...].firstIndex { "/?#\\".utf8.contains($0) } ?? bytes.endIndex
    return (String(decoding: bytes[start..<end], as: UTF8.self), Substring(bytes[end...]))
  }

  private static func names(_ texts: String...) -> Set<HTTPField.Name> {
    Set(texts.compactMap { HTTPField.Name($0) })
  }
}
