import HTTPTypes
import Interception

/// A request made ready for libcurl: checked, and in the bytes that it will be given.
///
/// It is made where the caller runs, so that libcurl's thread neither checks nor formats. A class, so that
/// passing it costs one retain.
final class RequestPlan: Sendable {
  /// How the content travels.
  enum Content: Sendable {
    /// There is none, and the method promises none.
    case none
    /// There is none, and the server is told so.
    case empty
    case bytes([UInt8])
    /// Pulled while it is sent.
    case streamed(RequestBody)
  }

  /// Where it goes, but for the path.
  let site: RequestSite
  /// Path and query, byte for byte as given.
  let path: String
  let method: HTTPRequest.Method
  /// The header lines.
  let headers: HeaderBlock
  let content: Content
  /// The number of bytes of the content; nil when it is not known beforehand.
  let contentLength: Int64?
  /// Whether the body that goes out has, or may have, a byte.
  let hasBytes: Bool
  /// The line that pins the origin to another address; nil where the name decides.
  let connectTo: HeaderBlock?
  /// The value of `Accept-Encoding`; nil asks for no coding and decodes none.
  let acceptedCodings: String?
  let options: RequestOptions
  /// The milliseconds that connecting may take, as many as libcurl can count.
  let connectMilliseconds: Int

  /// Scheme, host and port.
  var origin: WebOrigin { site.origin }

  /// Where it goes, as a whole.
  var target: RequestTarget { RequestTarget(origin: origin, authority: site.authority, path: path) }

  /// Whether sending it again changes nothing (RFC 9110, section 9.2.2).
  var isIdempotent: Bool {
    switch method {
    case .get, .head, .put, .delete, .options, .trace: true
    default: false
    }
  }

  /// The number of bytes of memory that its fields and its body hold.
  var heldBytes: Int {
    if case .bytes(let bytes) = content { headers.bytes.count + bytes.count } else { headers.bytes.count }
  }

  /// Whether a body, be it an empty one, goes out.
  var hasContent: Bool { if case .none = content { false } else { true } }

  /// Whether the answer may come before libcurl knows that all of the content is sent: nobody knows its
  /// length, or it is longer than what any server of HTTP/2 lets come at once (RFC 9113, section 6.9.2).
  var isLongUpload: Bool { hasBytes && contentLength.map { $0 > 65_535 } ?? true }

  /// Whether its answer has no content whatever its fields say (RFC 9110, section 9.3.2).
  var expectsNoContent: Bool { method == .head }

  /// Whether its answer's content is gathered before the caller gets it.
  var isBuffered: Bool {
    if expectsNoContent { return false }
    if case .buffered = options.delivery { return true }
    return false
  }

  /// Checks and formats a request.
  ///
  /// - Throws: ``NetworkError/Kind/invalidRequest``, which names the part that is wrong.
  init(_ request: Request, sites: SiteCache, decodable: [ContentCoding]) throws(NetworkError) {
    let head = request.head
    let body = request.body
    let site = try sites.site(of: head)
    self.site = site
    path = try RequestTarget.path(of: head)
    let method = head.method
    self.method = method
    options = request.options
    connectMilliseconds = Self.connectMilliseconds(options.timeouts.connect)
    if let fault = body.lengthFault { throw RequestTarget.invalid(fault) }
    contentLength = body.length
    content = try Self.content(body, of: method)
    hasBytes = if case .none = content { false } else { contentLength != 0 }
    if let address = request.connectTarget {
      connectTo = try Self.connectLine(to: address, from: site.origin)
    } else {
      connectTo = nil
    }
    acceptedCodings = Self.acceptedCodings(options, decodable: decodable)
    if head.headerFields.isEmpty, body.isEmpty {
      headers = site.bareLines
    } else {
      headers = try Self.headers(
        head.headerFields, body: body, at: site, authority: head.authority ?? "",
        userAgent: sites.configuration.userAgent,
        decodes: acceptedCodings != nil)
    }
    try HeadLimit.check(headers, path: path)
  }

  // Without a limit, libcurl's default of 300 s must not step in.
  private static func connectMilliseconds(_ limit: Duration?) -> Int {
    // As a rule; the division of 128 bits that another one takes is felt.
    if limit == .seconds(10) { return 10_000 }
    return min(max(limit?.wholeMilliseconds ?? .max, 1), Int(Int32.max))
  }

  private static func acceptedCodings(_ options: RequestOptions, decodable: [ContentCoding]) -> String? {
    guard !options.acceptedCodings.isEmpty else { return nil }
    let codings = options.acceptedCodings.filter(decodable.contains)
    return codings.isEmpty ? nil : codings.map(\.name).joined(separator: ", ")
  }

  private static func content(
    _ body: RequestBody, of method: HTTPRequest.Method
  ) throws(NetworkError) -> Content {
    guard body.isEmpty else {
      guard method != .head, method != .trace else {
        throw RequestTarget.invalid("A \(method.rawValue) request has no body; remove it, or use POST.")
      }
      return body.bytes.map(Content.bytes) ?? .streamed(body)
    }
    switch method {
    case .post, .put, .patch: return .empty
    default: return .none
    }
  }

  private static func headers(
    _ fields: HTTPFields, body: RequestBody, at site: RequestSite, authority: String, userAgent: String?,
    decodes: Bool
  ) throws(NetworkError) -> HeaderBlock {
    var block = site.hostLine
    var hasAccept = false
    var hasUserAgent = false
    for field in fields {
      switch field.name.canonicalName {
      case "host":
        guard field.value == authority else {
          throw RequestTarget.invalid(
            "The Host field differs from the authority \(authority); remove it, the authority is sent as Host."
          )
        }
        continue
      case "content-length":
        guard field.value == body.length.map(String.init) else {
          throw RequestTarget.invalid(
            "The Content-Length field differs from the body's length; remove it, the transport sets it.")
        }
        continue
      case "transfer-encoding", "expect", "connection", "upgrade", "keep-alive", "proxy-connection",
        "http2-settings":
        throw RequestTarget.invalid(
          "The \(field.name.rawName) field belongs to the connection, not to the request; remove it.")
      case "proxy-authorization":
        throw RequestTarget.invalid(
          "The Proxy-Authorization field would reach the origin; remove it, and give the proxy's credentials to "
            + "ProxyPolicy as Proxy.Credentials.")
      case "accept-encoding" where decodes: continue
      case "accept": hasAccept = true
      case "user-agent": hasUserAgent = true
      default: break
      }
      try block.append(field)
    }
    if !body.isEmpty { block.suppress("Expect") }
    return try complete(
      block, hasAccept: hasAccept, hasUserAgent: hasUserAgent, userAgent: userAgent)
  }

  /// Adds what a request says where it has no field of its own for it.
  static func complete(
    _ block: HeaderBlock, hasAccept: Bool = false, hasUserAgent: Bool = false, userAgent: String?
  ) throws(NetworkError) -> HeaderBlock {
    var block = block
    if !hasAccept { block.suppress("Accept") }
    if !hasUserAgent, let userAgent { try block.append(HTTPField(name: .userAgent, value: userAgent)) }
    return block
  }

  private static func connectLine(
    to target: ConnectTarget, from origin: WebOrigin
  ) throws(NetworkError) -> HeaderBlock {
    guard let address = IPAddress(target.address) else {
      throw RequestTarget.invalid(
        "The connect target \"\(RequestTarget.printable(target.address))\" is not an IP address; name one.")
    }
    let port = target.port ?? origin.port
    guard (1...65535).contains(port) else {
      throw RequestTarget.invalid("The connect target's port \(port) is not from 1 to 65535.")
    }
    let text = address.isVersion6 ? "[\(target.address)]" : target.address
    var block = HeaderBlock()
    block.appendLine("\(origin.host):\(origin.port):\(text):\(port)")
    return block
  }
}
