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
  /// The fields that follow the content; nil for none.
  let trailers: RequestTrailers?
  /// Whether the content has, or may have, a byte.
  let hasBytes: Bool
  let options: RequestOptions
  let exchange: ExchangeOptions
  let lines: RequestLines
  /// Whether it may be sent again because a reused connection was closed (RFC 9110, section 9.2.2).
  let mayBeResent: Bool
  /// Whether it must be sent at most once, whatever became of it.
  let isSentOnce: Bool
  /// Its part in a race for a connection: it is sent only if it is connected first.
  let raceEntry: ConnectRace.Entry?

  /// The head of the request, as it is sent over a connection that libcurl only opens; nil unless the server
  /// is asked to switch to another protocol.
  let upgradeHead: [UInt8]?

  /// The partition of the request, in which HTTP/3 must have been advertised.
  let partition: String
  /// The port of HTTP/3 by an HTTPS record of the origin's name; nil if nothing is known.
  let http3RecordPort: Int?
  /// Why the request cannot be sent over HTTP/3; nil if it can.
  let http3Obstacle: TransportReport.HTTP3Outcome?

  /// Whether its connection is opened, and nothing is sent.
  let onlyConnects: Bool

  var origin: WebOrigin { site.origin }

  /// The number of bytes of memory that its fields and its body hold.
  var heldBytes: Int {
    let held =
      switch content {
      case .none, .empty: 0
      case .bytes(let bytes): bytes.count
      case .streamed(let body): body.bytes?.count ?? 0
      }
    return lines.headers.bytes.count + held
  }

  /// Whether the response may come before libcurl knows that all of the content is sent: the content is
  /// longer than the initial window of HTTP/2 (RFC 9113, section 6.9.2), or of unknown length.
  var isLongUpload: Bool { hasBytes && exchange.contentLength.map { $0 > 65_535 } ?? true }

  /// Whether its response has no content whatever the fields say (RFC 9110, section 9.3.2).
  var expectsNoContent: Bool { exchange.method == .head }

  /// Checks and formats a request; the error names the part that is wrong.
  init(
    _ request: Request, sites: SiteCache, onlyConnects: Bool = false
  ) throws(NetworkError) {
    self.onlyConnects = onlyConnects
    let head = request.head
    let body = request.body
    let site = try sites.site(of: head)
    self.site = site
    path = try RequestTarget.path(of: head)
    options = request.options
    mayBeResent = request.permits(.resending)
    isSentOnce = request.context.isSentOnce
    if let fault = body.lengthFault { throw .invalidRequest(fault) }
    trailers = onlyConnects ? nil : request.trailers
    try Self.check(trailers, of: request, at: site)
    content = try Self.content(body, of: head.method, isRead: trailers != nil)
    let hasContent = if case .none = content { false } else { true }
    hasBytes = hasContent && body.length != 0
    let connectTo = try request.connectTarget.map { target throws(NetworkError) in
      try site.connectLine(to: target)
    }
    let headers =
      head.headerFields.isEmpty && body.isEmpty && !request.asksForUpgrade
      ? site.bareLines
      : try Self.headers(
        head.headerFields, body: body, at: site, userAgent: sites.configuration.userAgent,
        hasResponseContent: !request.asksForUpgrade, expectsContinue: options.continueTimeout != nil,
        trailers: trailers?.names ?? [])
    try HeadLimit.check(headers, path: path)
    let proxy = site.options.proxy
    raceEntry = request.raceEntry
    if proxy != nil { raceEntry?.race.standAside() }
    upgradeHead = try Self.upgradeHead(of: request, path: path, headers)
    partition = request.context.partition
    http3RecordPort = request.http3RecordPort
    http3Obstacle =
      proxy != nil
      ? .proxied
      : trailers != nil || upgradeHead != nil || !site.options.permitsHTTP3 ? .unsuitable : nil
    lines = RequestLines(target: proxy?.requestTarget(path, at: site) ?? path, headers: headers)
    exchange = ExchangeOptions(
      // With a proxy libcurl would open a tunnel for it, and only the proxy decides where a name leads.
      connectTo: proxy == nil ? connectTo : nil, method: head.method, hasContent: hasContent,
      contentLength: trailers == nil ? body.length : nil,
      connectMilliseconds: Self.connectMilliseconds(options.timeouts.connect),
      weight: options.priority.weight,
      version: site.origin.hasPriorKnowledge ? .http2 : trailers == nil ? .negotiated : .http1,
      continueMilliseconds: body.isEmpty ? nil : options.continueTimeout.map(Self.optionMilliseconds),
      sendsTrailers: trailers != nil)
  }

  private static func upgradeHead(
    of request: Request, path: String, _ headers: HeaderBlock
  ) throws(NetworkError) -> [UInt8]? {
    guard let name = request.context.upgrade else { return nil }
    guard request.head.method == .get, request.body.isEmpty else {
      throw .invalidRequest("A request to switch protocols has no body; use GET.")
    }
    return UpgradeHead.bytes(path: path, headers, upgrade: name)
  }

  // Without a limit, libcurl's default of 300 s would apply.
  private static func connectMilliseconds(_ limit: Duration?) -> Int {
    // The default limit, which is spared the division of 128 bits.
    if limit == .seconds(10) { return 10_000 }
    return limit.map(optionMilliseconds) ?? Int(Int32.max)
  }

  /// A duration as options of libcurl take it: 0 would mean its default.
  private static func optionMilliseconds(_ duration: Duration) -> Int {
    min(max(duration.wholeMilliseconds, 1), Int(Int32.max))
  }

  private static func check(
    _ trailers: RequestTrailers?, of request: Request, at site: RequestSite
  ) throws(NetworkError) {
    guard let trailers else { return }
    if let fault = trailers.fault { throw .invalidRequest(fault) }
    guard !request.body.isEmpty else {
      throw .invalidRequest(
        "Trailer fields follow content, and the request has none; set fields of the head.")
    }
    guard request.head.headerFields[.trailer] == nil else {
      throw .invalidRequest("The Trailer field is formed from Request.trailers; remove it.")
    }
    guard !site.origin.hasPriorKnowledge else {
      throw NetworkError(
        .unsupported,
        "libcurl sends trailer fields over HTTP/1.1 only, and \(site.origin) is requested over HTTP/2; remove its host "
          + "from ConnectionPolicy(priorKnowledge:), or set no trailers.")
    }
  }

  private static func content(
    _ body: RequestBody, of method: HTTPRequest.Method, isRead: Bool
  ) throws(NetworkError) -> Content {
    switch (method, body.isEmpty) {
    case (.head, false), (.trace, false):
      throw .invalidRequest("A \(method.rawValue) request has no body; remove it, or use POST.")
    // The task that reads a body also forms the fields that follow it.
    case (_, false): isRead ? .streamed(body) : body.bytes.map(Content.bytes) ?? .streamed(body)
    case (.post, true), (.put, true), (.patch, true): .empty
    case (_, true): .none
    }
  }

  private static func headers(
    _ fields: HTTPFields, body: RequestBody, at site: RequestSite, userAgent: String?,
    hasResponseContent: Bool, expectsContinue: Bool, trailers: [HTTPField.Name]
  ) throws(NetworkError) -> HeaderBlock {
    var block = site.hostLine
    // The lines for which a request may have no field are Accept, Accept-Encoding, User-Agent and Expect.
    block.reserve(lines: fields.count + 4)
    var hasAccept = false
    var hasAcceptEncoding = !hasResponseContent
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
          "The \(field.name.rawName) field belongs to the connection, not to the request; remove it."
            + (field.name.canonicalName == "expect" ? " Set RequestOptions.continueTimeout instead." : ""))
      case .proxyAuthorization:
        throw .invalidRequest(
          "The Proxy-Authorization field would reach the origin; remove it, and give "
            + "ProxyPolicy a URL with a user and a password.")
      case .cookie:
        cookies.append(field)
        continue
      case .accept: hasAccept = true
      case .acceptEncoding: hasAcceptEncoding = true
      case .userAgent: hasUserAgent = true
      case .ordinary: break
      }
      try block.append(field)
    }
    try block.append(cookies: cookies)
    if !trailers.isEmpty { block.appendLine("Trailer: \(trailers.map(\.rawName).joined(separator: ", "))") }
    if expectsContinue, !body.isEmpty {
      block.appendLine("Expect: 100-continue")
    } else if !body.isEmpty {
      block.suppress("Expect")
    }
    return try complete(
      block, hasAccept: hasAccept, hasAcceptEncoding: hasAcceptEncoding, hasUserAgent: hasUserAgent,
      userAgent: userAgent)
  }

  /// Adds the lines for which a request has no field of its own.
  static func complete(
    _ block: HeaderBlock, hasAccept: Bool = false, hasAcceptEncoding: Bool = false,
    hasUserAgent: Bool = false, userAgent: String?
  ) throws(NetworkError) -> HeaderBlock {
    var block = block
    if !hasAccept { block.suppress("Accept") }
    // Without the field any coding is acceptable (RFC 9110, section 12.5.3).
    if !hasAcceptEncoding { block.appendLine("Accept-Encoding: identity") }
    if !hasUserAgent, let userAgent { try block.append(HTTPField(name: .userAgent, value: userAgent)) }
    return block
  }
}

/// The maximum size of a request's head, the same over HTTP/1.1 and HTTP/2.
///
/// nghttp2 sends no header block above an estimated 65,536 bytes: name, value and 12 bytes for each field,
/// the pseudo-fields included. libcurl takes 1 MiB over HTTP/1.1, but a request is checked before the
/// protocol is known. The 1,024 bytes of the difference are for the fields that libcurl and nghttp2 add.
enum HeadLimit {
  /// The maximum number of bytes, counted as nghttp2 does.
  static let bytes = 64_512
  // nghttp2's 12 bytes without the colon, the space and the zero byte of a line.
  private static let overhead = 9

  /// Checks the size of a head; the error names the largest part, never its value.
  static func check(_ headers: HeaderBlock, path: String) throws(NetworkError) {
    let size = size(of: headers, path: path)
    guard size > bytes else { return }
    let largest = largest(of: headers, path: path)
    throw .invalidRequest(
      "The request's head has \(size) bytes of the \(bytes) that can be sent, \(largest.size) of them in \(largest.name); "
        + "shorten that, or send it in the body.")
  }

  static func size(of headers: HeaderBlock, path: String) -> Int {
    path.utf8.count + headers.bytes.count + overhead * headers.count
  }

  private static func largest(of headers: HeaderBlock, path: String) -> (name: String, size: Int) {
    let lines = headers.bytes.split(separator: 0)
    guard let longest = lines.max(by: { $0.count < $1.count }), longest.count > path.utf8.count else {
      return ("the path and its query", path.utf8.count)
    }
    let name = longest.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }
    return ("the field \(String(decoding: name, as: UTF8.self).printable)", longest.count)
  }
}

/// What a request's header field means to the dispatcher.
enum FieldRole: Hashable {
  case host
  case contentLength
  /// The field belongs to the connection, which the dispatcher manages.
  case connection
  case proxyAuthorization
  case acceptEncoding
  case accept
  case cookie
  case userAgent
  /// Every other field, which is sent as it is.
  case ordinary

  /// Finds the role of a field by its name in lower case.
  init(ofFieldNamed name: String) {
    // Comparing with the names that begin alike spares most fields every comparison.
    switch name.utf8.first {
    case UInt8(ascii: "a"):
      self = name == "accept" ? .accept : name == "accept-encoding" ? .acceptEncoding : .ordinary
    case UInt8(ascii: "c"):
      // The lengths spare Content-Type all but one comparison.
      switch name.utf8.count {
      case 6: self = name == "cookie" ? .cookie : .ordinary
      case 10: self = name == "connection" ? .connection : .ordinary
      default: self = name == "content-length" ? .contentLength : .ordinary
      }
    case UInt8(ascii: "e"), UInt8(ascii: "k"), UInt8(ascii: "t"):
      let isOfConnection = name == "expect" || name == "keep-alive" || name == "transfer-encoding"
      self = isOfConnection ? .connection : .ordinary
    case UInt8(ascii: "h"):
      self = name == "host" ? .host : name == "http2-settings" ? .connection : .ordinary
    case UInt8(ascii: "p"):
      self =
        name == "proxy-authorization"
        ? .proxyAuthorization : name == "proxy-connection" ? .connection : .ordinary
    case UInt8(ascii: "u"):
      self = name == "user-agent" ? .userAgent : name == "upgrade" ? .connection : .ordinary
    default: self = .ordinary
    }
  }
}
