import HTTPTypes
import Interception

/// A request that was checked and formatted for libcurl in the caller's task, to spare the loop's thread.
final class RequestPlan: Sendable {
  enum Content: Sendable {
    /// There is none, and the method implies none.
    case none
    /// There is none, and the request says so.
    case empty
    case bytes([UInt8])
    /// Read while it is sent.
    case streamed(RequestBody)
  }

  let site: RequestSite
  /// Path and query, byte for byte as given.
  let path: String
  let content: Content
  /// Whether the content has, or may have, a byte.
  let hasBytes: Bool
  let options: RequestOptions
  let exchange: ExchangeOptions
  let lines: RequestLines
  /// Whether it may be sent again because a reused connection was closed (RFC 9110, section 9.2.2).
  let mayBeResent: Bool
  /// Its part in a race for a connection: it is sent only if it is connected first.
  let raceEntry: ConnectRace.Entry?

  var origin: WebOrigin { site.origin }

  /// The number of bytes of memory that its fields and its body hold.
  var heldBytes: Int {
    let fields = lines.headers.bytes.count
    return if case .bytes(let bytes) = content { fields + bytes.count } else { fields }
  }

  /// Whether the response may come before libcurl knows that all of the content is sent: the content is
  /// longer than the initial window of HTTP/2 (RFC 9113, section 6.9.2), or of unknown length.
  var isLongUpload: Bool { hasBytes && exchange.contentLength.map { $0 > 65_535 } ?? true }

  /// Whether its response has no content whatever the fields say (RFC 9110, section 9.3.2).
  var expectsNoContent: Bool { exchange.method == .head }

  /// Checks and formats a request; the error names the part that is wrong.
  init(_ request: Request, sites: SiteCache, decodable: [ContentCoding]) throws(NetworkError) {
    let head = request.head
    let body = request.body
    let site = try sites.site(of: head)
    self.site = site
    path = try RequestTarget.path(of: head)
    options = request.options
    mayBeResent = request.mayBeResent
    if let fault = body.lengthFault { throw .invalidRequest(fault) }
    content = try Self.content(body, of: head.method)
    let hasContent = if case .none = content { false } else { true }
    hasBytes = hasContent && body.length != 0
    let connectTo = try request.connectTarget.map { target throws(NetworkError) in
      try site.connectLine(to: target)
    }
    let codings = sites.acceptedCodings(options.acceptedCodings, decodable: decodable)
    let headers =
      head.headerFields.isEmpty && body.isEmpty
      ? site.bareLines
      : try Self.headers(
        head.headerFields, body: body, at: site, userAgent: sites.configuration.userAgent,
        decodes: codings != nil)
    try HeadLimit.check(headers, path: path)
    let proxy = site.options.proxy
    raceEntry = request.raceEntry
    if proxy != nil { raceEntry?.race.standAside() }
    lines = RequestLines(target: proxy?.requestTarget(path, at: site) ?? path, headers: headers)
    exchange = ExchangeOptions(
      // With a proxy libcurl would open a tunnel for it, and only the proxy decides where a name leads.
      connectTo: proxy == nil ? connectTo : nil, method: head.method, hasContent: hasContent,
      contentLength: body.length, acceptedCodings: codings,
      connectMilliseconds: Self.connectMilliseconds(options.timeouts.connect),
      weight: options.priority.weight)
  }

  // Without a limit, libcurl's default of 300 s would apply.
  private static func connectMilliseconds(_ limit: Duration?) -> Int {
    // The default limit, which is spared the division of 128 bits.
    if limit == .seconds(10) { return 10_000 }
    return min(max(limit?.wholeMilliseconds ?? .max, 1), Int(Int32.max))
  }

  private static func content(
    _ body: RequestBody, of method: HTTPRequest.Method
  ) throws(NetworkError) -> Content {
    switch (method, body.isEmpty) {
    case (.head, false), (.trace, false):
      throw .invalidRequest("A \(method.rawValue) request has no body; remove it, or use POST.")
    case (_, false): body.bytes.map(Content.bytes) ?? .streamed(body)
    case (.post, true), (.put, true), (.patch, true): .empty
    case (_, true): .none
    }
  }

  private static func headers(
    _ fields: HTTPFields, body: RequestBody, at site: RequestSite, userAgent: String?, decodes: Bool
  ) throws(NetworkError) -> HeaderBlock {
    var block = site.hostLine
    var hasAccept = false
    var hasUserAgent = false
    var cookies: [HTTPField] = []
    for field in fields {
      switch FieldRole(ofFieldNamed: field.name.canonicalName) {
      case .host:
        guard field.value == site.authority else {
          throw .invalidRequest("The Host field differs from the authority \(site.authority); remove it.")
        }
        continue
      case .contentLength:
        guard field.value == body.length.map(String.init) else {
          throw .invalidRequest("The Content-Length field differs from the body's length; remove it.")
        }
        continue
      case .connection:
        throw .invalidRequest(
          "The \(field.name.rawName) field belongs to the connection, not to the request; remove it.")
      case .proxyAuthorization:
        throw .invalidRequest(
          "The Proxy-Authorization field would reach the origin; remove it, and give the proxy's credentials to "
            + "ProxyPolicy as Proxy.Credentials.")
      case .cookie:
        cookies.append(field)
        continue
      case .acceptEncoding where decodes: continue
      case .accept: hasAccept = true
      case .userAgent: hasUserAgent = true
      case .acceptEncoding, .ordinary: break
      }
      try block.append(field)
    }
    try block.append(cookies: cookies)
    if !body.isEmpty { block.suppress("Expect") }
    return try complete(block, hasAccept: hasAccept, hasUserAgent: hasUserAgent, userAgent: userAgent)
  }

  /// Adds the lines for which a request has no field of its own.
  static func complete(
    _ block: HeaderBlock, hasAccept: Bool = false, hasUserAgent: Bool = false, userAgent: String?
  ) throws(NetworkError) -> HeaderBlock {
    var block = block
    if !hasAccept { block.suppress("Accept") }
    if !hasUserAgent, let userAgent { try block.append(HTTPField(name: .userAgent, value: userAgent)) }
    return block
  }
}
